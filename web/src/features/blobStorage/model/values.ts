import type { BlobStorage, BlobStorageRequest } from '../api/useBlobStorage'

/** The values of the export form. */
export type BlobValues = {
  type: BlobStorageRequest['type']
  bucketName: string
  endpoint: string
  region: string
  accessKeyId: string
  secretAccessKey: string
  prefix: string
  exportFrequency: BlobStorageRequest['exportFrequency']
  fileType: BlobStorageRequest['fileType']
  exportMode: BlobStorageRequest['exportMode']
  exportStartDate: string
  enabled: boolean
  forcePathStyle: boolean
  compressed: boolean
}

export const types = [
  { id: 'S3', label: 'Amazon S3' },
  {
    id: 'S3_COMPATIBLE',
    label: 'S3-compatible',
    description: 'MinIO, R2, Google Cloud Storage and others',
  },
  { id: 'AZURE_BLOB_STORAGE', label: 'Azure Blob Storage' },
] as const

export const frequencies = [
  { id: 'every_5_minutes', label: 'Every 5 minutes' },
  { id: 'every_20_minutes', label: 'Every 20 minutes' },
  { id: 'hourly', label: 'Every hour' },
  { id: 'daily', label: 'Every day' },
  { id: 'weekly', label: 'Every week' },
] as const

export const fileTypes = [
  { id: 'PARQUET', label: 'Parquet' },
  { id: 'JSONL', label: 'JSON lines' },
  { id: 'JSON', label: 'JSON' },
  { id: 'CSV', label: 'CSV' },
] as const

export const modes = [
  { id: 'FULL_HISTORY', label: 'All data' },
  { id: 'FROM_TODAY', label: 'New data only' },
  { id: 'FROM_CUSTOM_DATE', label: 'From a date' },
] as const

export function toValues(stored: BlobStorage | null): BlobValues {
  return {
    type: stored?.type ?? 'S3',
    bucketName: stored?.bucketName ?? '',
    endpoint: stored?.endpoint ?? '',
    region: stored?.region ?? '',
    accessKeyId: stored?.accessKeyId ?? '',
    secretAccessKey: '',
    prefix: stored?.prefix ?? '',
    exportFrequency: stored?.exportFrequency ?? 'daily',
    fileType: stored?.fileType ?? 'JSONL',
    exportMode: stored?.exportMode ?? 'FULL_HISTORY',
    exportStartDate: stored?.exportStartDate?.slice(0, 10) ?? '',
    enabled: stored?.enabled ?? true,
    forcePathStyle: stored?.forcePathStyle ?? false,
    compressed: stored?.compressed ?? true,
  }
}

/** What is wrong with the values; `isStored` means that the server has a secret, which may then be left out. */
export function blobProblems(
  values: BlobValues,
  isStored: boolean,
): Partial<Record<keyof BlobValues, string>> {
  const hasKeys = values.type !== 'S3' || values.accessKeyId !== ''
  const prefix = values.prefix.trim()
  return {
    bucketName: values.bucketName.trim() === '' ? 'Enter a bucket name' : undefined,
    endpoint:
      values.type === 'S3_COMPATIBLE' && !URL.canParse(values.endpoint.trim())
        ? 'Enter the address of the storage'
        : undefined,
    accessKeyId: hasKeys && values.accessKeyId.trim() === '' ? 'Enter the key' : undefined,
    secretAccessKey:
      hasKeys && !isStored && values.secretAccessKey === '' ? 'Enter the secret' : undefined,
    prefix: prefix !== '' && !prefix.endsWith('/') ? 'Must end with a slash' : undefined,
    exportStartDate:
      values.exportMode === 'FROM_CUSTOM_DATE' && values.exportStartDate === ''
        ? 'Enter a date'
        : undefined,
  }
}

export function blobRequest(projectId: string, values: BlobValues): BlobStorageRequest {
  const text = (value: string) => (value.trim() === '' ? null : value.trim())
  return {
    projectId,
    type: values.type,
    bucketName: values.bucketName.trim(),
    endpoint: text(values.endpoint),
    region: values.region.trim(),
    accessKeyId: text(values.accessKeyId),
    ...(values.secretAccessKey !== '' && { secretAccessKey: values.secretAccessKey }),
    prefix: values.prefix.trim(),
    exportFrequency: values.exportFrequency,
    enabled: values.enabled,
    forcePathStyle: values.forcePathStyle,
    fileType: values.fileType,
    exportMode: values.exportMode,
    exportStartDate:
      values.exportMode === 'FROM_CUSTOM_DATE' ? `${values.exportStartDate}T00:00:00.000Z` : null,
    compressed: values.compressed,
  }
}
