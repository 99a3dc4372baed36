{{- define "old.selector" -}}
app.kubernetes.io/name: scality-mountpoint-s3-csi-driver
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}
{{- define "old.labels" -}}
{{ include "old.selector" . }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/component: csi-driver
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}
{{- define "old.sleeper" -}}
image: busybox:test
imagePullPolicy: Never
command: [sleep, infinity]
{{- end }}
