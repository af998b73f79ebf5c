"use client";

import { zodResolver } from "@hookform/resolvers/zod";
import { useRouter } from "next/navigation";
import { useForm, useWatch } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import { Textarea } from "@/components/ui/textarea";
import { NO_SERVER, SERVER_KINDS, serverFieldsSchema, transportOf, type ServerFields } from "./add-server-fields";
import { Failure } from "./failure";
import { useRegistry } from "./use-registry";

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
  const submit = handleSubmit(async (form) => {
    if (!(await send({ type: "add", id: form.id, name: form.name, transport: transportOf(form) }, "The server is in quarantine."))) return;
    onDone();
    router.push(`/admin/mcp/${form.id}`);
  });

  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-3">
      <Failure failure={failure} />
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
        <Field label="Address" hint="Public addresses only. Local and private networks are refused." error={errors.url?.message}>
          <Input autoComplete="off" inputMode="url" placeholder="https://…" {...register("url")} />
        </Field>
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
      {kind === "http" ? null : (
        <p className="text-xs text-muted">It runs under our own Node with exactly these arguments: no shell, no environment of ours.</p>
      )}
      <div className="flex justify-end gap-2 border-t pt-3">
        <Button onClick={onDone}>Cancel</Button>
        <Button type="submit" variant="primary" pending={formState.isSubmitting ? "Looking at the server…" : null}>
          Add to quarantine
        </Button>
      </div>
    </form>
  );
};
