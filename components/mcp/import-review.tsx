"use client";

import Link from "next/link";
import { useState } from "react";
import { toApiError, type ApiError } from "@/components/trpc/api-error";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import type { ImportDraft } from "@/lib/mcp/import";
import type { McpTransport } from "@/lib/mcp/transport";
import { Failure } from "./failure";
import { listAccessFacts, listTransportFacts } from "./transport-text";
import { useRegistry } from "./use-registry";
import { useSecrets } from "./use-secrets";

type Props = { readonly draft: ImportDraft };

const List = ({ title, items }: { readonly title: string; readonly items: readonly string[] }) =>
  items.length === 0 ? null : (
    <div>
      <p className="text-xs text-muted">{title}</p>
      <ul className="list-disc pl-4 text-sm break-words">
        {items.map((item) => (
          <li key={item}>{item}</li>
        ))}
      </ul>
    </div>
  );

const useRegistration = (draft: ImportDraft) => {
  const { send, pending, failure } = useRegistry({ showsFailure: true });
  const { putAll, isPending } = useSecrets();
  const [secretFailure, setSecretFailure] = useState<ApiError | null>(null);
  const [isDone, setIsDone] = useState(false);
  const register = async (transport: McpTransport, typed: Readonly<Record<string, string>>) => {
    setSecretFailure(null);
    try {
      // The server is not contacted without its secrets.
      await putAll(Object.entries(typed).flatMap(([name, value]) => (value === "" ? [] : [{ name, value }])));
    } catch (error) {
      setSecretFailure(toApiError(error));

      return;
    }
    const { id, name, access } = draft;
    setIsDone(await send({ type: "add", id, name, transport, access }));
  };

  return { register, isDone, failure: failure ?? secretFailure, isPending: isPending || pending !== null };
};

const Form = ({ draft, transport }: Props & { readonly transport: McpTransport }) => {
  const { register, isDone, failure, isPending } = useRegistration(draft);
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(draft.fill.map(({ name, value }) => [name, value ?? ""])),
  );
  if (isDone) {
    return (
      <output className="text-sm">
        Server added. Nothing was started.{" "}
        <Link href={`/admin/mcp/${draft.id}`} className="underline">
          Inspect server
        </Link>
      </output>
    );
  }

  return (
    <form
      method="post"
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        void register(transport, typed);
      }}
    >
      <Failure failure={failure} />
      {draft.fill.map(({ name, label, value }) => (
        <Field
          key={name}
          label={label}
          hint={
            value === null
              ? `Stored as ${name}. If you leave it empty, store it before you use the server.`
              : `From the file, stored as ${name}.`
          }
        >
          <Input
            type="password"
            autoComplete="new-password"
            className="font-mono"
            value={typed[name] ?? ""}
            onChange={(event) => setTyped({ ...typed, [name]: event.target.value })}
          />
        </Field>
      ))}
      <div>
        <Button type="submit" size="sm" variant="primary" pending={isPending ? "Adding…" : null}>
          Add {draft.id}
        </Button>
      </div>
    </form>
  );
};

/** Preview of an imported server. */
export const ImportReview = ({ draft }: Props) => {
  const { transport, problems } = draft;

  return (
    <section aria-label={draft.name} className="flex flex-col gap-3 rounded-md border p-3">
      <header className="flex flex-wrap items-center gap-2">
        <h3 className="text-sm font-medium">{draft.name}</h3>
        <span className="font-mono text-xs text-muted">{draft.id}</span>
        {problems.length > 0 ? <Badge>Can&apos;t be imported as is</Badge> : null}
      </header>
      {transport ? (
        <dl className="grid gap-x-4 gap-y-1 text-sm sm:grid-cols-[8rem_minmax(0,1fr)]">
          {[...listTransportFacts(transport, draft.program), ...listAccessFacts(draft.access, transport)].map(({ label, text }) => (
            <div key={label} className="contents">
              <dt className="text-muted">{label}</dt>
              <dd className="break-words">{text}</dd>
            </div>
          ))}
        </dl>
      ) : null}
      <List title="Problems" items={problems} />
      <List title="Left out" items={draft.notes} />
      {transport && problems.length === 0 ? <Form draft={draft} transport={transport} /> : null}
    </section>
  );
};
