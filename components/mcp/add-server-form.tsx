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
import { Textarea } from "@/components/ui/textarea";
import { apiError, type ApiError } from "@/components/trpc/api-error";
import { NO_SERVER, SERVER_KINDS, serverFieldsSchema, transportOf, type ServerFields } from "./add-server-fields";
import { Failure } from "./failure";
import { OAuthFields } from "./oauth-fields";
import { ToldFields } from "./told-fields";
import { accessOf, environmentOf, NO_OAUTH, withEnvironment, type ToldRow } from "./told-rows";
import { useRegistry } from "./use-registry";
import { useSecrets } from "./use-secrets";

const Group = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <fieldset className="flex flex-col gap-3">
    <legend className="mb-1 text-sm font-medium">{title}</legend>
    {children}
  </fieldset>
);

/** Enters a server; on success its page opens. */
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
  const [headers, setHeaders] = useState<readonly ToldRow[]>([]);
  const [variables, setVariables] = useState<readonly ToldRow[]>([]);
  const [oauth, setOAuth] = useState(NO_OAUTH);
  const [problem, setProblem] = useState<string | null>(null);
  const [secretFailure, setSecretFailure] = useState<ApiError | null>(null);
  const submit = handleSubmit(async (form) => {
    const access = accessOf(form.id, form.kind === "http" ? headers : [], form.kind === "http" ? oauth : NO_OAUTH);
    const env = environmentOf(form.id, form.kind === "package" || form.kind === "file" ? variables : []);
    const fault = access.problem ?? env.problem;
    setProblem(fault);
    setSecretFailure(null);
    if (fault !== null) return;
    try {
      await putAll([...access.secrets, ...env.secrets]);
    } catch (error) {
      setSecretFailure(apiError(error));

      return;
    }
    const way = { transport: withEnvironment(transportOf(form), env.value), access: access.value };
    if (!(await send({ type: "add", id: form.id, name: form.name, ...way }, "The server is in quarantine."))) return;
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
          label="Id"
          hint="How graphs name it. It cannot be changed later."
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
          <Field
            label="Address"
            hint="A public address that begins with https://, or one that your operator has opened."
            error={errors.url?.message}
          >
            <Input autoComplete="off" inputMode="url" placeholder="https://…" {...register("url")} />
          </Field>
          <Group title="Sent with each request">
            <ToldFields server={id} of="headers" rows={headers} onChange={setHeaders} />
            <OAuthFields value={oauth} onChange={setOAuth} />
          </Group>
        </>
      ) : null}
      {kind === "package" ? (
        <div className="grid gap-3 sm:grid-cols-3">
          <Field label="Package" hint="Installed here beforehand." error={errors.packageName?.message}>
            <Input autoComplete="off" className="font-mono" placeholder="@scope/name" {...register("packageName")} />
          </Field>
          <Field label="Version" hint="Exactly one." error={errors.version?.message}>
            <Input autoComplete="off" className="font-mono" placeholder="1.2.3" {...register("version")} />
          </Field>
          <Field label="Bin" hint="A name out of its bin." error={errors.bin?.message}>
            <Input autoComplete="off" className="font-mono" {...register("bin")} />
          </Field>
        </div>
      ) : null}
      {kind === "file" ? (
        <Field label="File" hint="Absolute. Its digest is taken now and checked before each start." error={errors.path?.message}>
          <Input autoComplete="off" className="font-mono" placeholder="/srv/tools/server.mjs" {...register("path")} />
        </Field>
      ) : null}
      {kind === "package" || kind === "file" ? (
        <Field label="Arguments" hint="One on each line. {inbox} stands for the folder of mails." error={errors.args?.message}>
          <Textarea rows={2} className="font-mono" {...register("args")} />
        </Field>
      ) : null}
      {kind === "package" || kind === "file" ? (
        <Group title="Environment">
          <ToldFields server={id} of="variables" rows={variables} onChange={setVariables} />
        </Group>
      ) : null}
      {kind === "http" ? null : (
        <p className="text-xs text-muted">
          It runs under our own Node with exactly these arguments: no shell, and no variable that is not named here.
        </p>
      )}
      <div className="flex justify-end gap-2 border-t pt-3">
        <Button onClick={onDone}>Cancel</Button>
        <Button type="submit" variant="primary" pending={formState.isSubmitting ? "Looking at the server…" : null}>
          Add to quarantine
        </Button>
      </div>
    </Form>
  );
};
