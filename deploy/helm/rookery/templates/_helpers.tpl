{{- define "rookery.name" -}}
{{- if contains "rookery" .Release.Name -}}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{- else -}}{{ printf "%s-rookery" .Release.Name | trunc 50 | trimSuffix "-" }}{{- end -}}
{{- end -}}

{{- define "rookery.labels" -}}
app.kubernetes.io/name: rookery
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{- define "rookery.selector" -}}
app.kubernetes.io/name: rookery
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "rookery.image" -}}
{{ printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) }}
{{- end -}}

{{- define "rookery.secret" -}}
{{ required "existingSecret must name the Secret with DATABASE_URL and SERVER_SECRET." .Values.existingSecret }}
{{- end -}}

{{/* In the pod itself: new settings replace the pods, and those of an older release keep theirs. Large numbers stay whole. */}}
{{- define "rookery.env" -}}
{{- $_ := required "settings.WEB_URL must be the public address." .Values.settings.WEB_URL -}}
{{- range $name, $value := .Values.settings }}
{{- if ne (toString $value) "" }}
- { name: {{ $name }}, value: {{ if kindIs "string" $value }}{{ $value | quote }}{{ else }}{{ $value | toJson | quote }}{{ end }} }
{{- end }}
{{- end }}
{{- end -}}

{{/* What no pod may do, whatever it runs. */}}
{{- define "rookery.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
seccompProfile: { type: RuntimeDefault }
{{- end -}}

{{- define "rookery.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end -}}

{{- define "rookery.volumes" -}}
- name: data
  emptyDir: { sizeLimit: {{ .Values.dataSize }} }
- name: tmp
  emptyDir: { sizeLimit: 1Gi }
{{- end -}}

{{- define "rookery.mounts" -}}
- { name: data, mountPath: /data }
- { name: tmp, mountPath: /tmp }
{{- end -}}
