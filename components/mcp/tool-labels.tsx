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
import { explainDenial, type Role } from "@/lib/roles";
import type { ServerView, ToolView } from "@/server/trpc/routers/mcp/view";
import { useRegistry } from "./use-registry";

const EFFECTS = [
  { value: "pure", label: "Pure: computes only" },
  { value: "read", label: "Read: reads external data" },
  { value: "write", label: "Write: changes external data" },
  { value: "irreversible", label: "Irreversible: can't be undone" },
] as const satisfies readonly { value: EffectClass; label: string }[];

const CLASSES = [
  { value: "public", label: "Public" },
  { value: "internal", label: "Internal" },
  { value: "pii", label: "Personal data" },
  { value: "secret", label: "Secret" },
] as const satisfies readonly { value: Classification; label: string }[];

const LABELS = ["effect", "idempotent", "output", "outward", "clearance"] as const satisfies readonly (keyof Labels)[];

type Props = { readonly server: ServerView; readonly tool: ToolView; readonly role: Role };

/** Our labels, which decide approval and retries. */
export const ToolLabels = ({ server, tool, role }: Props) => {
  const [effect, setEffect] = useState<EffectClass>(tool.effect);
  const [idempotent, setIdempotent] = useState(tool.idempotent);
  const [output, setOutput] = useState<Classification>(tool.output);
  const [outward, setOutward] = useState(tool.outward);
  const [clearance, setClearance] = useState<Classification>(tool.clearance);
  const { send, pending } = useRegistry(server);
  const reason = explainDenial(role, "mcp.manage") ?? (server.status === "revoked" ? "The server is revoked" : null);
  const labels = { effect, idempotent, output, outward, clearance };
  const isChanged = LABELS.some((label) => labels[label] !== tool[label]);
  const save = () => send({ type: "set_labels", id: server.id, revision: server.revision, tool: tool.name, ...labels }, "Labels saved.");

  return (
    <section aria-label="Our labels" className="flex flex-col gap-2 rounded-md border p-3">
      <div>
        <h4 className="text-sm font-medium">Our labels</h4>
        <p className="text-xs text-muted">Apply to graphs published from now on. Published versions keep their labels.</p>
      </div>
      <Field label="Effect">
        <Select items={EFFECTS} value={effect} onValueChange={setEffect} disabled={reason !== null} />
      </Field>
      <Field label="Lowest confidentiality of its output" hint="Its output always counts as at least this confidential.">
        <Select items={CLASSES} value={output} onValueChange={setOutput} disabled={reason !== null} />
      </Field>
      <Field label="Highest confidentiality it may receive" hint="The most confidential data its arguments may contain.">
        <Select items={CLASSES} value={clearance} onValueChange={setClearance} disabled={reason !== null} />
      </Field>
      <Checkbox checked={outward} onCheckedChange={setOutward} disabled={reason !== null}>
        Sends data to a third party
        <span className="block text-xs text-muted">For example a search engine or an e-mail service, but not our own database.</span>
      </Checkbox>
      <Checkbox checked={idempotent} onCheckedChange={setIdempotent} disabled={reason !== null}>
        Idempotent: repeating a call has no further effect
      </Checkbox>
      {isLooser(labels, tool) ? <SignatureNote to="loosen these labels" /> : null}
      <div>
        <Button
          size="sm"
          disabledReason={reason ?? (isChanged ? null : "Nothing changed")}
          pending={pending ? "Saving…" : null}
          onClick={() => void save()}
        >
          Save labels
        </Button>
      </div>
    </section>
  );
};
