"use client";

import { useState } from "react";
import { SignatureNote } from "@/components/passkeys/signature-note";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import type { EffectClass, ToolLabels as Labels } from "@/lib/graph/document";
import type { Classification } from "@/lib/graph/label";
import { isLooser } from "@/lib/mcp/registry-command";
import { whyNot, type Role } from "@/lib/roles";
import type { ServerView, ToolView } from "@/server/trpc/routers/mcp/view";
import { useRegistry } from "./use-registry";

const EFFECTS = [
  { value: "pure", label: "Pure: computes only" },
  { value: "read", label: "Read: looks at the world" },
  { value: "write", label: "Write: changes it" },
  { value: "irreversible", label: "Irreversible: cannot be taken back" },
] as const satisfies readonly { value: EffectClass; label: string }[];

const CLASSES = [
  { value: "public", label: "Public" },
  { value: "internal", label: "Internal" },
  { value: "pii", label: "Personal data" },
  { value: "secret", label: "Secret" },
] as const satisfies readonly { value: Classification; label: string }[];

const LABELS = ["effect", "idempotent", "output", "outward", "clearance"] as const satisfies readonly (keyof Labels)[];

type Props = { readonly server: ServerView; readonly tool: ToolView; readonly role: Role };

/** Our own labels, which decide what needs an approval and what may be sent twice. */
export const ToolLabels = ({ server, tool, role }: Props) => {
  const [effect, setEffect] = useState<EffectClass>(tool.effect);
  const [idempotent, setIdempotent] = useState(tool.idempotent);
  const [output, setOutput] = useState<Classification>(tool.output);
  const [outward, setOutward] = useState(tool.outward);
  const [clearance, setClearance] = useState<Classification>(tool.clearance);
  const { send, pending } = useRegistry({ server });
  const reason = whyNot(role, "mcp.manage") ?? (server.status === "revoked" ? "The server is revoked" : null);
  const labels = { effect, idempotent, output, outward, clearance };
  const isChanged = LABELS.some((label) => labels[label] !== tool[label]);
  const save = () =>
    send({ type: "set_labels", id: server.id, revision: server.revision, tool: tool.name, ...labels }, "The labels are saved.");

  return (
    <section aria-label="Our labels" className="flex flex-col gap-2 rounded-md border p-3">
      <div>
        <h4 className="text-sm font-medium">Our labels</h4>
        <p className="text-xs text-muted">Graphs published from now on use them; published versions keep theirs.</p>
      </div>
      <Field label="Effect">
        <Select items={EFFECTS} value={effect} onValueChange={setEffect} disabled={reason !== null} />
      </Field>
      <Field label="Answers are at least" hint="How confidential what it answers counts as, whatever it is.">
        <Select items={CLASSES} value={output} onValueChange={setOutput} disabled={reason !== null} />
      </Field>
      <Field label="May be told at most" hint="The most confidential data that its arguments may carry.">
        <Select items={CLASSES} value={clearance} onValueChange={setClearance} disabled={reason !== null} />
      </Field>
      <Checkbox checked={outward} onCheckedChange={setOutward} disabled={reason !== null}>
        What it is told leaves what we control
        <span className="block text-xs text-muted">As with a search engine or a mail; not with our own database.</span>
      </Checkbox>
      <Checkbox checked={idempotent} onCheckedChange={setIdempotent} disabled={reason !== null}>
        The same call twice does the same as once
      </Checkbox>
      {isLooser(labels, tool) ? <SignatureNote to="loosen these labels" /> : null}
      <div>
        <Button size="sm" disabled={!isChanged} disabledReason={reason} pending={pending ? "Saving…" : null} onClick={() => void save()}>
          Save labels
        </Button>
      </div>
    </section>
  );
};
