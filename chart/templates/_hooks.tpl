{{/* Hooks are run by the driver's own image, each as an account that may do only what it needs. Helm makes what has the lower weight first, and
removes all of it after the Job has succeeded; a Job that failed stays, for its log. */}}
{{- define "s3csi.hookAnnotations" -}}
helm.sh/hook: {{ .when }}
helm.sh/hook-weight: {{ .weight | quote }}
helm.sh/hook-delete-policy: before-hook-creation,hook-succeeded
{{- end }}

{{- define "s3csi.hookAccount" -}}
apiVersion: v1
kind: ServiceAccount
metadata:
  name: {{ .name }}
  namespace: {{ .chart.Release.Namespace }}
  labels:
    {{- include "s3csi.labels" .chart | nindent 4 }}
  annotations:
    {{- include "s3csi.hookAnnotations" (dict "when" .when "weight" "-3") | nindent 4 }}
{{- end }}

{{- define "s3csi.hookRole" }}
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: {{ .name }}
  labels:
    {{- include "s3csi.labels" .chart | nindent 4 }}
  annotations:
    {{- include "s3csi.hookAnnotations" (dict "when" .when "weight" "-2") | nindent 4 }}
{{- end }}

{{- define "s3csi.hookBinding" }}
{{- include "s3csi.binding" (dict "chart" .chart "kind" "ClusterRole" "binding" .name "role" .name "account" .name "namespace" "" "annotations" (include "s3csi.hookAnnotations" (dict "when" .when "weight" "-1"))) }}
{{- end }}

{{- define "s3csi.hookJob" }}
apiVersion: batch/v1
kind: Job
metadata:
  name: {{ .name }}
  namespace: {{ .chart.Release.Namespace }}
  labels:
    {{- include "s3csi.labels" .chart | nindent 4 }}
  annotations:
    {{- include "s3csi.hookAnnotations" (dict "when" .when "weight" "0") | nindent 4 }}
    # Helm 3.18 and newer show what a Job that failed had to say.
    helm.sh/hook-output-log-policy: hook-failed
spec:
  backoffLimit: {{ .repetitions }}
  activeDeadlineSeconds: {{ .seconds }}
  template:
    metadata:
      labels:
        {{- include "s3csi.podLabels" (dict "chart" .chart "app" "s3-csi-hook" "more" .chart.Values.controller.podLabels) | nindent 8 }}
    spec:
      restartPolicy: Never
      serviceAccountName: {{ .name }}
      automountServiceAccountToken: true
      {{- include "s3csi.controllerPlacement" .chart | nindent 6 }}
      {{- with .chart.Values.controller.affinity }}
      affinity:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      containers:
        - name: {{ .name }}
          image: {{ include "s3csi.image" .chart }}
          imagePullPolicy: {{ .chart.Values.image.pullPolicy }}
          command: [/bin/scality-csi-controller]
          args:
            {{- toYaml .arguments | nindent 12 }}
          # The last lines of its log say why it failed.
          terminationMessagePolicy: FallbackToLogsOnError
          {{- with .chart.Values.hooks.resources }}
          resources:
            {{- toYaml . | nindent 12 }}
          {{- end }}
          securityContext:
            {{- include "s3csi.containerSecurity" .chart | nindent 12 }}
            {{- with .chart.Values.controller.seLinuxOptions }}
            seLinuxOptions:
              {{- toYaml . | nindent 14 }}
            {{- end }}
{{- end }}
