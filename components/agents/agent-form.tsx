"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { apiError } from "@/components/trpc/api-error";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Checkbox } from "@/components/ui/checkbox";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Textarea } from "@/components/ui/textarea";
import { agentSchema, type Agent, type PinnedTool } from "@/lib/graph/document";
import { toolId } from "@/lib/graph/tool-ref";
import { draftOf, ofDraft, type AgentDraft } from "./agent-draft";

type Props = {
  /** Null for a new one. */
  readonly agent: Agent | null;
  readonly revision: number | null;
  readonly tools: readonly PinnedTool[];
  readonly onSaved: (agent: Agent) => void;
};

/** An agent of the registry: who it is, and the most that any node may grant it. */
export const AgentForm = ({ agent, revision, tools, onSaved }: Props) => {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [draft, setDraft] = useState<AgentDraft>(() => draftOf(agent));
  const parsed = agentSchema.safeParse(ofDraft(draft));
  const save = useMutation(
    trpc.agents.save.mutationOptions({
      onSuccess: async (_answer, { agent: saved }) => {
        await Promise.all([
          queryClient.invalidateQueries({ queryKey: trpc.agents.list.queryKey() }),
          queryClient.invalidateQueries({ queryKey: trpc.graphs.catalog.queryKey() }),
        ]);
        onSaved(agentSchema.parse(saved));
      },
    }),
  );
  const change = (changed: Partial<AgentDraft>) => setDraft({ ...draft, ...changed });
  const faultAt = (field: string) =>
    parsed.success ? null : (parsed.error.issues.find((issue) => issue.path[0] === field)?.message ?? null);
  const isGranted = ({ server, tool }: PinnedTool) => draft.tools.some((granted) => granted.server === server && granted.tool === tool);
  const toggle = ({ server, tool }: PinnedTool, grant: boolean) => {
    const others = draft.tools.filter((granted) => granted.server !== server || granted.tool !== tool);
    change({ tools: grant ? [...others, { server, tool }] : others });
  };

  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (parsed.success && !save.isPending) save.mutate({ agent: parsed.data, revision });
      }}
    >
      {save.error ? <Callout kind="refused" alert title={apiError(save.error).message} /> : null}
      <Field label="Name" error={draft.name === "" ? null : faultAt("name")}>
        <Input value={draft.name} onChange={(event) => change({ name: event.target.value })} />
      </Field>
      <Field
        label="Id"
        hint={agent ? "Nodes name the agent by it; it does not change." : "A letter, then letters, digits, - or _."}
        error={draft.id === "" ? null : faultAt("id")}
      >
        <Input value={draft.id} readOnly={agent !== null} className="font-mono" onChange={(event) => change({ id: event.target.value })} />
      </Field>
      <Field label="System prompt" error={faultAt("system_prompt")}>
        <Textarea rows={6} value={draft.systemPrompt} onChange={(event) => change({ systemPrompt: event.target.value })} />
      </Field>
      <Field label="May read at most" hint="Paths separated by commas. Empty: whatever a node grants." error={faultAt("permissions")}>
        <Input value={draft.reads} className="font-mono" onChange={(event) => change({ reads: event.target.value })} />
      </Field>
      <Field label="May write at most" hint="Paths separated by commas. Empty: whatever a node grants.">
        <Input value={draft.writes} className="font-mono" onChange={(event) => change({ writes: event.target.value })} />
      </Field>
      <fieldset className="flex flex-col gap-1.5">
        <legend className="mb-1 text-sm font-medium">Tools</legend>
        {tools.length === 0 ? <p className="text-xs text-muted">No tool is pinned on an active server.</p> : null}
        {tools.map((tool) => (
          <Checkbox key={toolId(tool.server, tool.tool)} checked={isGranted(tool)} onCheckedChange={(grant) => toggle(tool, grant)}>
            <span className="font-mono text-xs">
              {tool.server} / {tool.tool}
            </span>{" "}
            <span className="text-xs text-muted">{tool.effect}</span>
          </Checkbox>
        ))}
      </fieldset>
      <Field label="Model calls at most, per visit" error={faultAt("max_steps")}>
        <Input inputMode="numeric" value={draft.maxSteps} onChange={(event) => change({ maxSteps: event.target.value })} />
      </Field>
      <div className="flex items-center justify-between gap-3 border-t pt-3">
        <p className="text-xs text-muted">Published versions keep the agent as it was.</p>
        <Button
          type="submit"
          variant="primary"
          disabledReason={parsed.success ? null : "Some fields are empty or wrong"}
          pending={save.isPending ? "Saving…" : null}
        >
          Save the agent
        </Button>
      </div>
    </form>
  );
};
