"use client";

import Link from "next/link";
import { useState } from "react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Form } from "@/components/ui/form";
import { Input } from "@/components/ui/input";
import type { ImportDraft } from "@/lib/mcp/import";
import type { McpTransport } from "@/lib/mcp/transport";
import { FactList } from "./fact-list";
import { listAccessFacts, listTransportFacts } from "./transport-text";
import { useRegistryForm } from "./use-registry";

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

const AddImported = ({ draft, transport }: Props & { readonly transport: McpTransport }) => {
  const { submit, isPending, error } = useRegistryForm();
  const [isDone, setIsDone] = useState(false);
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(draft.fill.map(({ name, value }) => [name, value ?? ""])),
  );
  const add = async () => {
    const { id, name, access } = draft;
    const secrets = Object.entries(typed).flatMap(([secret, value]) => (value === "" ? [] : [{ name: secret, value }]));
    setIsDone(await submit({ command: { type: "add", id, name, transport, access }, secrets, problem: null }));
  };
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
    <Form onSubmit={add} error={error}>
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
    </Form>
  );
};

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
        <FactList facts={[...listTransportFacts(transport, draft.program), ...listAccessFacts(draft.access, transport)]} />
      ) : null}
      <List title="Problems" items={problems} />
      <List title="Left out" items={draft.notes} />
      {transport && problems.length === 0 ? <AddImported draft={draft} transport={transport} /> : null}
    </section>
  );
};
