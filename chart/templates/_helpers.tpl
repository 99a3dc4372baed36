{{/* Names and labels. Selectors cannot be changed once a release is installed: they are those of releases 2.x. */}}
{{- define "s3csi.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" -}}
{{- end }}

{{- define "s3csi.selector" -}}
app.kubernetes.io/name: {{ include "s3csi.name" . }}
{{- if ne .Release.Name "kustomize" }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}
{{- end }}

{{- define "s3csi.labels" -}}
{{ include "s3csi.selector" . }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
app.kubernetes.io/version: {{ .Chart.AppVersion | replace "+" "_" | quote }}
app.kubernetes.io/component: csi-driver
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- with .Values.customLabels }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* Of the pods of one workload: what the selector asks for wins over what users add. */}}
{{- define "s3csi.podLabels" -}}
{{- $own := merge (dict "app" .app) (fromYaml (include "s3csi.labels" .chart)) -}}
{{- toYaml (merge $own (.more | default dict)) -}}
{{- end }}

{{- define "s3csi.nodeSelector" -}}
{{- toYaml (merge (dict "kubernetes.io/os" "linux") (. | default dict)) -}}
{{- end }}

{{/* kubelet's directory on the nodes, and the driver's below it. */}}
{{- define "s3csi.kubeletPath" -}}
{{- .Values.node.kubeletPath | trimSuffix "/" -}}
{{- end }}

{{- define "s3csi.pluginPath" -}}
{{- include "s3csi.kubeletPath" . }}/plugins/s3.csi.scality.com
{{- end }}

{{/* A reference to an image: the registry, if one is put before the repository, the repository and the tag. */}}
{{- define "s3csi.reference" -}}
{{- $registry := .registry | default "" | trimSuffix "/" -}}
{{- if $registry }}{{ $registry }}/{{ end }}{{ .repository }}:{{ .tag }}
{{- end }}

{{- define "s3csi.image" -}}
{{- include "s3csi.reference" (dict "registry" .Values.image.containerRegistry "repository" .Values.image.repository "tag" (default .Chart.AppVersion (toString .Values.image.tag))) -}}
{{- end }}

{{/* The store. Values of a node are those of old releases, and win. */}}
{{- define "s3csi.endpointUrl" -}}
{{- .Values.node.s3EndpointUrl | default .Values.s3.endpointUrl -}}
{{- end }}

{{- define "s3csi.storeEnvironment" -}}
- name: AWS_ENDPOINT_URL
  value: {{ include "s3csi.endpointUrl" . | quote }}
- name: AWS_REGION
  value: {{ .Values.node.s3Region | default .Values.s3.region | quote }}
- name: DRIVER_CREDENTIALS_DIR
  value: /etc/s3csi/keys
{{- end }}

{{/* The driver's keys as files: a Secret that is changed is read again, and one that is missing does not keep the pod from starting. */}}
{{- define "s3csi.keysVolume" -}}
- name: driver-keys
  secret:
    secretName: {{ .Values.s3CredentialSecret.name }}
    optional: true
    defaultMode: {{ .mode }}
    items:
      - key: {{ .Values.s3CredentialSecret.accessKeyId }}
        path: access_key_id
      - key: {{ .Values.s3CredentialSecret.secretAccessKey }}
        path: secret_access_key
      - key: {{ .Values.s3CredentialSecret.sessionToken }}
        path: session_token
{{- end }}

{{- define "s3csi.keysMount" -}}
- name: driver-keys
  mountPath: /etc/s3csi/keys
  readOnly: true
{{- end }}

{{/* Where pods without privileges run: the controller, and the Jobs of hooks. */}}
{{- define "s3csi.controllerPlacement" -}}
priorityClassName: system-cluster-critical
nodeSelector:
  {{- include "s3csi.nodeSelector" .Values.controller.nodeSelector | nindent 2 }}
{{- with .Values.controller.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
securityContext:
  {{- include "s3csi.podSecurity" . | nindent 2 }}
{{- end }}

{{- define "s3csi.isOpenShift" -}}
{{- if kindIs "bool" .Values.isOpenShift }}{{ ternary "true" "" .Values.isOpenShift }}
{{- else if .Capabilities.APIVersions.Has "security.openshift.io/v1" }}true{{ end }}
{{- end }}

{{/* Of a pod that needs no privileges. All its containers are one user, because a socket of theirs is for its owner only. OpenShift chooses the user itself. */}}
{{- define "s3csi.podSecurity" -}}
runAsNonRoot: true
{{- if not (include "s3csi.isOpenShift" .) }}
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
{{- end }}
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{- define "s3csi.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}

{{/* For a program that is a JVM: it has two minutes to start, on whatever machine. */}}
{{- define "s3csi.probes" -}}
startupProbe:
  httpGet: {path: /healthz, port: {{ . }}}
  periodSeconds: 2
  timeoutSeconds: 3
  failureThreshold: 60
livenessProbe:
  httpGet: {path: /healthz, port: {{ . }}}
  periodSeconds: 10
  timeoutSeconds: 3
  failureThreshold: 5
readinessProbe:
  httpGet: {path: /healthz, port: {{ . }}}
  periodSeconds: 5
  timeoutSeconds: 3
{{- end }}

{{/* Gives a role to a service account of the release's namespace; without a namespace it is a binding of the whole cluster. */}}
{{- define "s3csi.binding" }}
apiVersion: rbac.authorization.k8s.io/v1
kind: {{ if .namespace }}RoleBinding{{ else }}ClusterRoleBinding{{ end }}
metadata:
  name: {{ .binding }}
  {{- with .namespace }}
  namespace: {{ . }}
  {{- end }}
  labels:
    {{- include "s3csi.labels" .chart | nindent 4 }}
  {{- with .annotations }}
  annotations:
    {{- . | nindent 4 }}
  {{- end }}
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: {{ .kind }}
  name: {{ .role }}
subjects:
  - kind: ServiceAccount
    name: {{ .account }}
    namespace: {{ .chart.Release.Namespace }}
{{- end }}
