{{- define "danlu.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- define "danlu.labels" -}}
app.kubernetes.io/name: danlu
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
{{- end }}

{{- define "danlu.selector" -}}
app.kubernetes.io/name: danlu
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "danlu.claim" -}}
{{ .Values.data.claim | default (printf "%s-data" .Release.Name) }}
{{- end }}

{{- define "danlu.databaseSecret" -}}
{{ .Values.database.secret | default (printf "%s-postgres" .Release.Name) }}
{{- end }}

{{- /* The strictest pod security there is: what Danlu itself runs with. */}}
{{- define "danlu.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
fsGroupChangePolicy: OnRootMismatch
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "danlu.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{- define "danlu.env" -}}
- { name: DANLU_HOST, value: 0.0.0.0 }
- { name: DANLU_DATA, value: /data }
- { name: DANLU_ENGINE, value: none }
- { name: DANLU_PUBLIC_URL, value: {{ .Values.publicUrl | default (printf "http://%s.%s.svc" .Release.Name .Release.Namespace) | quote }} }
- { name: HOME, value: /tmp }
- name: DANLU_DATABASE
  valueFrom: { secretKeyRef: { name: {{ include "danlu.databaseSecret" . }}, key: url } }
{{- range $name, $value := .Values.settings }}
- { name: {{ $name }}, value: {{ $value | quote }} }
{{- end }}
{{- end }}

{{- define "danlu.place" -}}
{{- with .Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
{{- range . }}
  - name: {{ . }}
{{- end }}
{{- end }}
{{- end }}
