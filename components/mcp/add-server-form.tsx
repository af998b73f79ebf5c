"use client";

import { useRouter } from "next/navigation";
import { useState, type ReactNode } from "react";
import { useWatch } from "react-hook-form";
import { Form, FormActions, SelectField, TextField, useZodForm } from "@/components/ui/form";
import type { OfferedProgram } from "@/lib/mcp/program";
import type { McpTransport } from "@/lib/mcp/transport";
import { NO_SERVER, SERVER_KINDS, serverFieldsSchema, type ServerFields } from "./add-server-fields";
import { HeaderFields } from "./header-fields";
import { getAccess, NO_OAUTH, type HeaderRow } from "./header-rows";
import { OAuthFields } from "./oauth-fields";
import { toDraft, type Filled } from "./program-draft";
import { ProgramFields } from "./program-fields";
import { Unsent } from "./unsent";
import { useRegistryForm } from "./use-registry";

const Group = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <fieldset className="flex flex-col gap-3">
    <legend className="mb-1 text-sm font-medium">{title}</legend>
    {children}
  </fieldset>
);

export const AddServerForm = ({ onDone }: { readonly onDone: () => void }) => {
  const router = useRouter();
  const { submit, isPending, error, problem } = useRegistryForm();
  const form = useZodForm(serverFieldsSchema, NO_SERVER);
  const [kind, id] = useWatch({ control: form.control, name: ["kind", "id"] });
  const [headers, setHeaders] = useState<readonly HeaderRow[]>([]);
  const [oauth, setOAuth] = useState(NO_OAUTH);
  const [program, setProgram] = useState<OfferedProgram | null>(null);
  const [filled, setFilled] = useState<Filled>({});
  const readConnection = (fields: ServerFields) => {
    if (fields.kind === "http") {
      const { access, ...found } = getAccess(fields.id, headers, oauth);
      const transport: McpTransport = { type: "http", url: fields.url };

      return { ...found, connection: access && { transport, access } };
    }
    const { manifest, ...found } = toDraft(fields.id, program, filled);
    const transport: McpTransport | null = manifest && { type: "stdio", manifest };

    return { ...found, connection: transport && { transport } };
  };
  const add = form.handleSubmit(async (fields) => {
    const { connection, ...found } = readConnection(fields);
    const command = connection && { type: "add" as const, id: fields.id, name: fields.name, ...connection };
    if (!(await submit({ command, ...found }, "Server added. Nothing was started."))) return;
    onDone();
    router.push(`/admin/mcp/${fields.id}`);
  });

  return (
    <Form onSubmit={add} error={error}>
      <Unsent problem={problem} />
      <div className="grid gap-3 sm:grid-cols-2">
        <TextField
          form={form}
          name="id"
          label="ID"
          hint="Graphs refer to the server by this ID. It can't be changed later."
          className="font-mono"
        />
        <TextField form={form} name="name" label="Name" />
      </div>
      <SelectField form={form} name="kind" label="Kind" items={SERVER_KINDS} />
      {kind === "http" ? (
        <>
          <TextField
            form={form}
            name="url"
            label="Address"
            hint="A public https:// address, or one that your operator allows."
            inputMode="url"
            placeholder="https://…"
          />
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
            const [typedId, typedName] = form.getValues(["id", "name"]);
            if (typedId === "") form.setValue("id", next.id);
            if (typedName === "") form.setValue("name", next.name);
            setFilled(texts);
          }}
        />
      )}
      <FormActions submit="Add server" pending={isPending ? "Adding…" : null} onCancel={onDone} />
    </Form>
  );
};
