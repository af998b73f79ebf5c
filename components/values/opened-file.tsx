"use client";

import { useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { z } from "zod";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Dialog } from "@/components/ui/dialog";
import { getArtifactDigest, type Artifact } from "@/lib/artifact";
import { describeFile, isPicture } from "./file-text";

export type FilePlace = { readonly runId: string; readonly seq: number; readonly index: number };

const problemSchema = z.object({ error: z.object({ message: z.string() }) });

/** @throws Error with a sentence */
const fetchFile = async ({ runId, seq, index }: FilePlace, artifact: Artifact): Promise<string> => {
  const response = await fetch(`/api/runs/${runId}/artifacts`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ seq, index, file: getArtifactDigest(artifact) }),
  });
  if (response.ok) return URL.createObjectURL(await response.blob());
  const said = problemSchema.safeParse(await response.json().catch(() => null));
  throw new Error(said.data?.error.message ?? "The file could not be opened.");
};

const save = (name: string, address: string): void => {
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
};

type Props = { readonly place: FilePlace; readonly artifact: Artifact };

export const OpenedFile = ({ place, artifact }: Props) => {
  const { name, mediaType } = artifact;
  const [isShown, setIsShown] = useState(false);
  const open = useMutation({
    mutationFn: () => fetchFile(place, artifact),
    gcTime: 0,
    onSuccess: (made) => (isPicture(mediaType) ? setIsShown(true) : save(name, made)),
  });
  const { data: address } = open;
  useEffect(() => () => (address === undefined ? undefined : URL.revokeObjectURL(address)), [address]);
  const close = (next: boolean): void => {
    setIsShown(next);
    if (!next) open.reset();
  };

  return (
    <div className="flex flex-col gap-1">
      <div className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1 text-xs">
        <span className="max-w-full truncate font-medium" title={name}>
          {name}
        </span>
        <span className="text-muted">{describeFile(artifact)}</span>
        <Button
          size="sm"
          variant="ghost"
          aria-label={`Open ${name}`}
          pending={open.isPending ? "Opening…" : null}
          onClick={() => open.mutate()}
        >
          {isPicture(mediaType) ? "Open" : "Download"}
        </Button>
      </div>
      {open.error ? (
        <Callout kind="refused" alert title={open.error.message}>
          Opening a file is recorded first.
        </Callout>
      ) : null}
      <Dialog open={isShown} onOpenChange={close} title={name} size="xl">
        {address === undefined ? null : (
          <div className="flex flex-col gap-3">
            {/* oxlint-disable-next-line nextjs/no-img-element -- bytes of this page, which no image server sees */}
            <img src={address} alt={name} className="max-h-[60vh] max-w-full self-center object-contain" />
            <div className="flex items-center justify-between gap-3">
              <p className="text-xs text-muted">The ledger records that you opened this file.</p>
              <Button size="sm" onClick={() => save(name, address)}>
                Download
              </Button>
            </div>
          </div>
        )}
      </Dialog>
    </div>
  );
};
