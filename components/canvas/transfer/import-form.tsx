"use client";

import { FileUp } from "lucide-react";
import { useRef, type ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Field } from "@/components/ui/field";
import { Textarea } from "@/components/ui/textarea";
import { DOCUMENT_LIMITS } from "@/lib/document-text";
import type { Graph } from "@/lib/graph/document";
import type { ValidationContext } from "@/lib/graph/facts/facts";
import { FileProblems } from "./file-problems";
import { ImportFound } from "./import-found";
import { listMissing } from "./missing";
import type { ImportText } from "./use-import-text";

type Props = {
  readonly source: ImportText;
  readonly draft: Graph | null;
  readonly catalog: ValidationContext | null;
  readonly failure: string | null;
  /** Primary last. */
  readonly actions: ReactNode;
};

export const ImportForm = ({ source: { text, setText, takeFile, found, problems }, draft, catalog, failure, actions }: Props) => {
  const input = useRef<HTMLInputElement>(null);

  return (
    <div
      className="flex flex-col gap-3"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        void takeFile(event.dataTransfer.files[0]);
      }}
    >
      <div className="flex items-center gap-2">
        <Button onClick={() => input.current?.click()}>
          <FileUp aria-hidden /> Choose a file
        </Button>
        <span className="text-xs text-muted">or drop one here, or paste its text</span>
        <input
          ref={input}
          type="file"
          aria-label="File"
          accept=".json,.yaml,.yml,application/json,application/yaml,text/plain"
          className="hidden"
          onChange={(event) => {
            void takeFile(event.target.files?.[0]);
            // Allows choosing the changed file again.
            event.target.value = "";
          }}
        />
      </div>
      <Field label="JSON or YAML">
        <Textarea
          value={text}
          rows={8}
          spellCheck={false}
          className="font-mono text-xs"
          maxLength={DOCUMENT_LIMITS.maxBytes}
          onChange={(event) => setText(event.target.value)}
        />
      </Field>
      {failure === null ? null : <Callout kind="refused" alert title={failure} />}
      {problems.length > 0 ? <FileProblems problems={problems} /> : null}
      {found ? <ImportFound found={found} draft={draft} missing={catalog ? listMissing(found.graph, catalog) : []} /> : null}
      {/* Actions stay in view. */}
      <div className="sticky -bottom-3 -mb-3 flex justify-end gap-2 border-t bg-surface py-3">{actions}</div>
    </div>
  );
};
