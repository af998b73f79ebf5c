import type { Artifact } from "@/lib/artifact";
import { formatBytes } from "@/lib/format";

const NAMES: Readonly<Record<string, string>> = {
  "image/*": "Image",
  "image/png": "PNG image",
  "image/jpeg": "JPEG image",
  "image/webp": "WebP image",
  "image/gif": "GIF image",
  "application/pdf": "PDF",
  "application/json": "JSON",
  "application/zip": "ZIP archive",
  "application/gzip": "Gzip archive",
  "application/octet-stream": "Unknown type",
  "text/*": "Text",
  "text/csv": "CSV",
  "text/markdown": "Markdown",
  "text/plain": "Text",
};

export const describeMediaType = (type: string): string => NAMES[type] ?? type;

export const isPicture = (type: string): boolean => ["image/png", "image/jpeg", "image/webp", "image/gif"].includes(type);

export const describeFile = ({ mediaType, size }: Artifact): string => `${describeMediaType(mediaType)}, ${formatBytes(size)}`;
