"use client";

import Link from "next/link";
import { useState } from "react";
import { apiError, type ApiError } from "@/components/trpc/api-error";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import type { ImportDraft } from "@/lib/mcp/import";
import type { TransportDraft } from "@/lib/mcp/transport";
import { Failure } from "./failure";
import { draftFacts } from "./transport-text";
import { useRegistry } from "./use-registry";
import { useSecrets } from "./use-secrets";

type Props = { readonly draft: ImportDraft };

/** The program of a package is a guess of ours: whoever knows better says so. */
const withBin = (transport: TransportDraft, bin: string): TransportDraft =>
  transport.type === "stdio" && transport.manifest.source === "package"
    ? { type: "stdio", manifest: { ...transport.manifest, bin } }
    : transport;

const binOf = (transport: TransportDraft | null): string | null =>
  transport?.type === "stdio" && transport.manifest.source === "package" ? transport.manifest.bin : null;

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
  const register = async (transport: TransportDraft, typed: Readonly<Record<string, string>>) => {
    setSecretFailure(null);
    try {
      // What was left empty can be stored later: until then the server is not reached.
      await putAll(Object.entries(typed).flatMap(([name, value]) => (value === "" ? [] : [{ name, value }])));
    } catch (error) {
      setSecretFailure(apiError(error));

      return;
    }
    const { id, name, access } = draft;
    setIsDone(await send({ type: "add", id, name, transport, access }));
  };

  return { register, isDone, failure: failure ?? secretFailure, isPending: isPending || pending !== null };
};

const Form = ({ draft, transport }: Props & { readonly transport: TransportDraft }) => {
  const { register, isDone, failure, isPending } = useRegistration(draft);
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(draft.fill.map(({ name, value }) => [name, value ?? ""])),
  );
  const [bin, setBin] = useState(binOf(transport));
  if (isDone) {
    return (
      <output className="text-sm">
        Registered, in quarantine.{" "}
        <Link href={`/admin/mcp/${draft.id}`} className="underline">
          Review its tools
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
        void register(bin === null ? transport : withBin(transport, bin.trim()), typed);
      }}
    >
      <Failure failure={failure} />
      {bin === null ? null : (
        <Field label="Program" hint="A name out of the package's bin. What the file says does not tell it; this is the usual one.">
          <Input autoComplete="off" className="font-mono" value={bin} onChange={(event) => setBin(event.target.value)} />
        </Field>
      )}
      {draft.fill.map(({ name, label, value }) => (
        <Field
          key={name}
          label={label}
          hint={
            value === null
              ? `Kept as ${name}. Left empty, it has to be stored before the server is reached.`
              : `From the file, kept as ${name}.`
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
        <Button type="submit" size="sm" variant="primary" pending={isPending ? "Registering…" : null}>
          Register {draft.id}
        </Button>
      </div>
    </form>
  );
};

/** One server of a file: what will be registered, what was left out, and why it cannot be registered as it is. */
export const ImportReview = ({ draft }: Props) => {
  const { transport, problems } = draft;

  return (
    <section aria-label={draft.name} className="flex flex-col gap-3 rounded-md border p-3">
      <header className="flex flex-wrap items-center gap-2">
        <h3 className="text-sm font-medium">{draft.name}</h3>
        <span className="font-mono text-xs text-muted">{draft.id}</span>
        {problems.length > 0 ? <Badge>not as written</Badge> : null}
      </header>
      {transport ? (
        <dl className="grid gap-x-4 gap-y-1 text-sm sm:grid-cols-[8rem_minmax(0,1fr)]">
          {draftFacts(transport, draft.access).map(({ label, text }) => (
            <div key={label} className="contents">
              <dt className="text-muted">{label}</dt>
              <dd className="break-words">{text}</dd>
            </div>
          ))}
        </dl>
      ) : null}
      <List title="Why it is not registered" items={problems} />
      <List title="Left out" items={draft.notes} />
      {transport && problems.length === 0 ? <Form draft={draft} transport={transport} /> : null}
    </section>
  );
};
