"use client";

import { useEffect, useRef, useState, type DragEvent } from "react";
import { describeFile, isPicture } from "@/components/values/file-text";
import { startUpload, type Upload } from "@/components/values/upload-file";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { Input } from "@/components/ui/input";
import { Spinner } from "@/components/ui/spinner";
import { artifactSchema, type Artifact } from "@/lib/artifact";
import { UPLOADING } from "./entered-values";

type Props = {
  readonly mediaTypes: readonly string[];
  /** JSON of a reference, `UPLOADING`, or empty. */
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly onLeave: () => void;
};

const readValue = (value: string): Artifact | null => {
  try {
    return artifactSchema.safeParse(JSON.parse(value)).data ?? null;
  } catch {
    return null;
  }
};

export const FileControl = ({ mediaTypes, value, onChange, onLeave }: Props) => {
  const chosen = readValue(value);
  const upload = useRef<Upload | null>(null);
  const [share, setShare] = useState<number | null>(null);
  const [trouble, setTrouble] = useState<string | null>(null);
  const [preview, setPreview] = useState<string | null>(null);
  const [isOver, setIsOver] = useState(false);
  const isInterrupted = value === UPLOADING && share === null;

  useEffect(() => () => upload.current?.stop(), []);
  useEffect(() => () => (preview === null ? undefined : URL.revokeObjectURL(preview)), [preview]);

  const take = async (picked: File): Promise<void> => {
    upload.current?.stop();
    const before = chosen === null ? "" : value;
    setTrouble(null);
    setShare(0);
    onChange(UPLOADING);
    const own = startUpload(picked, setShare);
    upload.current = own;
    try {
      const artifact = await own.answer;
      setPreview(isPicture(artifact.mediaType) ? URL.createObjectURL(picked) : null);
      onChange(JSON.stringify(artifact));
    } catch (error) {
      if (upload.current !== own) return;
      setTrouble(error instanceof Error ? error.message : String(error));
      onChange(before);
    }
    if (upload.current === own) setShare(null);
    onLeave();
  };

  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setIsOver(false);
    const [picked] = event.dataTransfer.files;
    if (picked) void take(picked);
  };

  return (
    <div
      className={cn("flex flex-col gap-2 rounded-md border border-dashed border-control/60 p-3", isOver && "border-accent bg-sunken")}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      {chosen === null ? null : (
        <div className="flex items-center gap-3">
          {preview === null ? null : (
            // oxlint-disable-next-line nextjs/no-img-element -- bytes of this page, which no image server sees
            <img src={preview} alt="" className="size-12 shrink-0 rounded-sm border object-contain" />
          )}
          <div className="min-w-0 flex-1">
            <p className="truncate text-sm font-medium" title={chosen.name}>
              {chosen.name}
            </p>
            <p className="text-xs text-muted">{describeFile(chosen)}</p>
          </div>
          <Button
            size="sm"
            variant="ghost"
            aria-label={`Remove ${chosen.name}`}
            onClick={() => {
              setPreview(null);
              onChange("");
            }}
          >
            Remove
          </Button>
        </div>
      )}
      {share === null ? null : (
        <output className="flex items-center gap-2 text-sm text-muted">
          <Spinner />
          Uploading… {Math.floor(share * 100)} %
        </output>
      )}
      <Input
        type="file"
        accept={mediaTypes.join(",")}
        className={cn(
          "h-auto border-0 px-0 file:mr-3 file:rounded-md file:border file:bg-surface file:px-2.5 file:py-1 file:text-sm file:text-ink [&:is(input,textarea):read-only]:bg-transparent",
          chosen !== null && "text-transparent",
        )}
        onChange={({ target }) => {
          const [picked] = target.files ?? [];
          if (picked) void take(picked);
          // Otherwise a repeat is no change.
          target.value = "";
        }}
      />
      {trouble === null && !isInterrupted ? null : (
        <p role="alert" className="text-xs text-refused">
          {trouble ?? "The upload was interrupted. Choose the file again."}
        </p>
      )}
    </div>
  );
};
