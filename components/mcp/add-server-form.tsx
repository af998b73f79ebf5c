"use client";

import { zodResolver } from "@hookform/resolvers/zod";
import { useRouter } from "next/navigation";
import { useState, type ReactNode } from "react";
import { useForm, useWatch } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Field } from "@/components/ui/field";
import { Form } from "@/components/ui/form";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import { toApiError, type ApiError } from "@/components/trpc/api-error";
import type { McpAccess } from "@/lib/mcp/access";
import type { OfferedProgram } from "@/lib/mcp/program";
import type { McpTransport } from "@/lib/mcp/transport";
import { NO_SERVER, SERVER_KINDS, serverFieldsSchema, type ServerFields } from "./add-server-fields";
import { Failure } from "./failure";
import { OAuthFields } from "./oauth-fields";
import { toDraft, type Filled } from "./program-draft";
import { ProgramFields } from "./program-fields";
import { HeaderFields } from "./header-fields";
import { getAccess, NO_OAUTH, type OAuthFields as OAuthDraft, type SecretToPut, type HeaderRow } from "./header-rows";
import { useRegistry } from "./use-registry";
import { useSecrets } from "./use-secrets";

const Group = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <fieldset className="flex flex-col gap-3">
    <legend className="mb-1 text-sm font-medium">{title}</legend>
    {children}
  </fieldset>
);

type ConnectionDraft = {
  /** Null: invalid. */
  readonly value: { readonly transport: McpTransport; readonly access?: McpAccess } | null;
  readonly secrets: readonly SecretToPut[];
  readonly problem: string | null;
};

const readHttp = ({ id, url }: ServerFields, headers: readonly HeaderRow[], oauth: OAuthDraft): ConnectionDraft => {
  const { value: access, secrets, problem } = getAccess(id, headers, oauth);

  return { value: problem === null ? { transport: { type: "http", url }, access } : null, secrets, problem };
};

const readProgram = ({ id }: ServerFields, program: OfferedProgram | null, filled: Filled): ConnectionDraft => {
  if (!program) return { value: null, secrets: [], problem: "Choose a program." };
  const { manifest, secrets, problem } = toDraft(id, program, filled);

  return { value: problem === null ? { transport: { type: "stdio", manifest } } : null, secrets, problem };
};

/** Adds a server and opens its page. */
export const AddServerForm = ({ onDone }: { readonly onDone: () => void }) => {
  const router = useRouter();
  const { send, failure } = useRegistry({ showsFailure: true });
  const { register, handleSubmit, control, setValue, formState } = useForm<ServerFields>({
    resolver: zodResolver(serverFieldsSchema),
    defaultValues: NO_SERVER,
  });
  const kind = useWatch({ control, name: "kind" });
  const { errors } = formState;
  const id = useWatch({ control, name: "id" });
  const { putAll } = useSecrets();
  const [headers, setHeaders] = useState<readonly HeaderRow[]>([]);
  const [oauth, setOAuth] = useState(NO_OAUTH);
  const [program, setProgram] = useState<OfferedProgram | null>(null);
  const [filled, setFilled] = useState<Filled>({});
  const [problem, setProblem] = useState<string | null>(null);
  const [secretFailure, setSecretFailure] = useState<ApiError | null>(null);
  const submit = handleSubmit(async (form) => {
    const connection = form.kind === "http" ? readHttp(form, headers, oauth) : readProgram(form, program, filled);
    setProblem(connection.problem);
    setSecretFailure(null);
    if (connection.value === null) return;
    try {
      await putAll(connection.secrets);
    } catch (error) {
      setSecretFailure(toApiError(error));

      return;
    }
    if (!(await send({ type: "add", id: form.id, name: form.name, ...connection.value }, "Server added. Nothing was started."))) return;
    onDone();
    router.push(`/admin/mcp/${form.id}`);
  });

  return (
    <Form onSubmit={() => void submit()}>
      <Failure failure={failure ?? secretFailure} />
      {problem === null ? null : (
        <Callout kind="refused" alert title={problem}>
          Nothing was sent.
        </Callout>
      )}
      <div className="grid gap-3 sm:grid-cols-2">
        <Field
          label="ID"
          hint="Graphs refer to the server by this ID. It can't be changed later."
          error={errors.id ? "Enter a letter, then letters, digits, - or _." : null}
        >
          <Input autoComplete="off" className="font-mono" {...register("id")} />
        </Field>
        <Field label="Name" error={errors.name?.message}>
          <Input autoComplete="off" {...register("name")} />
        </Field>
      </div>
      <Field label="Kind" error={errors.kind?.message}>
        <Select
          items={SERVER_KINDS}
          value={kind}
          onValueChange={(next) => setValue("kind", next, { shouldValidate: formState.isSubmitted })}
        />
      </Field>
      {kind === "http" ? (
        <>
          <Field label="Address" hint="A public https:// address, or one that your operator allows." error={errors.url?.message}>
            <Input autoComplete="off" inputMode="url" placeholder="https://…" {...register("url")} />
          </Field>
          <Group title="Sent with each request">
            <HeaderFields server={id} rows={headers} onChange={setHeaders} />
            <OAuthFields value={oauth} onChange={setOAuth} />
          </Group>
        </>
      ) : (
        <ProgramFields
          program={program}
          filled={filled}
          onChange={(next, texts) => {
            setProgram(next);
            setFilled(texts);
          }}
        />
      )}
      <div className="flex justify-end gap-2 border-t pt-3">
        <Button onClick={onDone}>Cancel</Button>
        <Button type="submit" variant="primary" pending={formState.isSubmitting ? "Adding…" : null}>
          Add server
        </Button>
      </div>
    </Form>
  );
};
