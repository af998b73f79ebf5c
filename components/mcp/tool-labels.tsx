"use client";

import { useState } from "react";
import { SignatureNote } from "@/components/passkeys/signature-note";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import type { EffectClass } from "@/lib/graph/document";
import type { Classification } from "@/lib/graph/label";
import { hasSameLabels } from "@/lib/mcp/label-proposal";
import { isLooser } from "@/lib/mcp/registry-command";
import { explainDenial, type Role } from "@/lib/roles";
import type { ServerView, ToolView } from "@/server/trpc/routers/mcp/view";
import { CLASSES, EFFECTS, NOT_LABELLED } from "./label-options";
import { useRegistry } from "./use-registry";

type Props = { readonly server: ServerView; readonly tool: ToolView; readonly role: Role };

export const ToolLabels = ({ server, tool, role }: Props) => {
  const [effect, setEffect] = useState<EffectClass>(tool.effect);
  const [idempotent, setIdempotent] = useState(tool.idempotent);
  const [output, setOutput] = useState<Classification>(tool.output);
  const [outward, setOutward] = useState(tool.outward);
  const [clearance, setClearance] = useState<Classification>(tool.clearance);
  const { send, pending } = useRegistry(server);
  const reason = explainDenial(role, "mcp.manage") ?? (server.status === "revoked" ? "The server is revoked" : null);
  const labels = { effect, idempotent, output, outward, clearance };
  const isChanged = !hasSameLabels(labels, tool) || !tool.labelled;
  const save = () =>
    send({ type: "set_labels", id: server.id, revision: server.revision, labels: { [tool.name]: labels } }, "Labels saved.");

  return (
    <section aria-label="Our labels" className="flex flex-col gap-2 rounded-md border p-3">
      <div>
        <h4 className="text-sm font-medium">Our labels</h4>
        {tool.labelled ? null : <p className="text-xs">{NOT_LABELLED}</p>}
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
