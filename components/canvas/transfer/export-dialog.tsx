"use client";

import { useQuery } from "@tanstack/react-query";
import { Copy, Download } from "lucide-react";
import { useMemo, useState } from "react";
import { useCanvas, useDocument } from "@/components/canvas/state/canvas-context";
import { SideSelect } from "@/components/canvas/versions/side-select";
import { DRAFT } from "@/components/canvas/versions/sides";
import { toApiError } from "@/components/trpc/api-error";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Dialog } from "@/components/ui/dialog";
import { DigestChip } from "@/components/ui/digest-chip";
import { Select } from "@/components/ui/select";
import { SkeletonRows } from "@/components/ui/skeleton";
import { notify } from "@/components/ui/toast";
import type { Graph } from "@/lib/graph/document";
import { formatGraphFileName, writeGraphFile, type FileFormat } from "@/lib/graph/file";
import { LeftOutList } from "./left-out";
import { saveFile } from "@/components/ui/save-file";

const FORMATS = [
  { value: "yaml", label: "YAML" },
  { value: "json", label: "JSON" },
] as const satisfies readonly { readonly value: FileFormat; readonly label: string }[];

type FileProps = { readonly graph: Graph; readonly format: FileFormat };

const copy = async (text: string): Promise<void> => {
  try {
    await navigator.clipboard.writeText(text);
    notify({ title: "Copied" });
  } catch {
    notify({ tone: "error", title: "Your browser blocked copying" });
  }
};

const File = ({ graph, format }: FileProps) => {
  const file = useMemo(() => writeGraphFile(graph, format), [graph, format]);
  if (!file) {
    return (
      <Callout kind="refused" alert title="This graph can't be exported">
        It contains data that is not plain JSON, or a secret in a required place. See the Problems panel.
      </Callout>
    );
  }
  const name = formatGraphFileName(graph, file.hash, format);

  return (
    <>
      <LeftOutList leftOut={file.leftOut} />
      <textarea
        aria-label="File contents"
        readOnly
        rows={12}
        value={file.text}
        className="w-full resize-y rounded-md border bg-sunken p-2 font-mono text-xs whitespace-pre"
      />
      <div className="flex flex-wrap items-center gap-2 border-t pt-3">
        <span className="flex items-center gap-2 text-xs text-muted">
          Content <DigestChip digest={file.hash} label="content hash" />
          Importing the file yields the same hash.
        </span>
        <span className="flex-1" />
        <Button onClick={() => void copy(file.text)}>
          <Copy aria-hidden /> Copy
        </Button>
        <Button variant="primary" onClick={() => saveFile(name, file.text)}>
          <Download aria-hidden /> Download
        </Button>
      </div>
    </>
  );
};

const Body = ({ version }: { readonly version: string | null }) => {
  const draft = useDocument();
  const [format, setFormat] = useState<FileFormat>("yaml");
  const [side, setSide] = useState(version ?? DRAFT);
  const found = useQuery(useTRPC().graphs.version.queryOptions({ hash: side }, { enabled: side !== DRAFT, staleTime: Infinity }));
  const graph = side === DRAFT ? draft : (found.data?.published.graph ?? null);

  return (
    <div className="flex flex-col gap-3">
      <div className="flex gap-2">
        <SideSelect label="Source" value={side} onChange={setSide} />
        <Select<FileFormat> aria-label="Format" className="w-28" items={FORMATS} value={format} onValueChange={setFormat} />
      </div>
      {found.error ? <Callout kind="refused" alert title={toApiError(found.error).message} /> : null}
      {graph ? <File graph={graph} format={format} /> : found.error ? null : <SkeletonRows rows={4} />}
    </div>
  );
};

type Props = {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly version: string | null;
};

export const ExportDialog = ({ open, onClose, version }: Props) => {
  const name = useCanvas((state) => state.history.document.name);

  return (
    <Dialog
      open={open}
      onOpenChange={(next) => (next ? undefined : onClose())}
      title={`Export ${name}`}
      description="The graph as text. Agents, tools and credentials stay in the registry."
      size="lg"
    >
      <Body version={version} />
    </Dialog>
  );
};
