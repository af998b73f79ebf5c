"use client";

import { useState } from "react";
import { toEntered } from "@/components/schema-form/edit-draft";
import { toDraft, EditForm, type Draft } from "@/components/schema-form/edit-form";
import { SchemaFields } from "@/components/schema-form/schema-fields";
import { readForm, type Entered } from "@/components/schema-form/entered-values";
import { Button } from "@/components/ui/button";
import { Failure } from "@/components/ui/failure";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { isJsonObject, type Json, type JsonObject } from "@/lib/json";
import { mustBeTyped } from "@/lib/mcp/console";
import { explainDenial, type Role } from "@/lib/roles";
import type { ServerView, ToolView } from "@/server/trpc/routers/mcp/view";
import { ConsoleAnswerView } from "./console-answer";
import { useConsole } from "./use-console";

type Props = { readonly server: ServerView; readonly tool: ToolView; readonly role: Role };

const NO_ARGUMENTS = { kind: "arguments", value: {} } as const;

const objectIn = (value: Json | undefined): JsonObject | null => (value !== undefined && isJsonObject(value) ? value : null);

const Arguments = ({
  schema,
  entered,
  onEnter,
}: {
  readonly schema: JsonObject;
  readonly entered: Entered;
  readonly onEnter: (entered: Entered) => void;
}) => {
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const form = readForm(schema, entered);

  return (
    <div className="flex flex-col gap-3">
      <SchemaFields
        fields={form.fields}
        entered={entered}
        problems={new Map([...form.problems].filter(([place]) => left.has(place)))}
        onChange={(place, text) => onEnter({ ...entered, [place]: text })}
        onLeave={(place) => setLeft(new Set([...left, place]))}
      />
      {form.misfit ? <p className="text-sm text-refused">The arguments don&apos;t match the tool&apos;s schema.</p> : null}
    </div>
  );
};

const formOf = (schema: JsonObject | null): JsonObject | null => (schema !== null && toEntered(schema, {}) !== null ? schema : null);

const givenIn = (form: JsonObject | null, entered: Entered, { change }: Draft): JsonObject | null => {
  if (!form) return change && "arguments" in change ? objectIn(change.arguments) : null;
  const { value, problems, misfit } = readForm(form, entered);

  return problems.size > 0 || misfit ? null : value;
};

/** The console also calls only reviewed tools. */
const whyNotTried = ({ status }: ServerView, { pinned }: ToolView): string | null => {
  if (status === "revoked") return "The server is revoked";
  if (status !== "active") return "Activate the server to try its tools";

  return pinned === null ? "Only reviewed tools can be tried" : null;
};

/** Calls a tool without agent or approval; remount per tool and revision. */
export const ConsolePanel = ({ server, tool, role }: Props) => {
  const definition = tool.pinned?.definition ?? null;
  const form = formOf(definition?.input_schema ?? null);
  const [entered, setEntered] = useState<Entered>(() => (form ? (toEntered(form, {}) ?? {}) : {}));
  const [draft, setDraft] = useState(() => toDraft(NO_ARGUMENTS, null));
  const [typed, setTyped] = useState("");
  const { send, isPending, answer, error } = useConsole();
  const digest = tool.pinned?.digest ?? "";
  const mustType = mustBeTyped(tool.effect);
  const isTyped = !mustType || typed === tool.name;
  const given = givenIn(form, entered, draft);
  const reason = explainDenial(role, "mcp.manage") ?? whyNotTried(server, tool);

  return (
    <section aria-label="Try it out" className="flex min-w-0 flex-col gap-3 rounded-md border p-3">
      <div>
        <h4 className="text-sm font-medium">Try it out</h4>
        <p className="text-xs text-muted">
          Makes one real call, without an agent or an approval. The call is recorded in the workspace&apos;s ledger; its arguments and
          response are deleted after an hour.
        </p>
      </div>
      {reason === null && form ? <Arguments schema={form} entered={entered} onEnter={setEntered} /> : null}
      {reason === null && !form ? <EditForm proposed={NO_ARGUMENTS} schema={null} draft={draft} onDraft={setDraft} /> : null}
      {reason === null && mustType ? (
        <Field label="Tool name" hint={`This tool may change something. Type ${tool.name} to confirm.`}>
          <Input
            value={typed}
            autoComplete="off"
            spellCheck={false}
            className="font-mono"
            onChange={(event) => setTyped(event.target.value)}
          />
        </Field>
      ) : null}
      <div>
        <Button
          size="sm"
          disabledReason={reason ?? (given === null ? "Enter the arguments as a JSON object" : isTyped ? null : `Type ${tool.name} above`)}
          pending={isPending ? "Calling…" : null}
          onClick={() => {
            if (given) {
              send({ id: server.id, tool: tool.name, definition_digest: digest, arguments: given, typed: typed === "" ? null : typed });
            }
          }}
        >
          Call {tool.name}
        </Button>
      </div>
      <Failure error={error} />
      {answer ? <ConsoleAnswerView answer={answer} /> : null}
    </section>
  );
};
