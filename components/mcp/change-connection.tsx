"use client";

import { useState } from "react";
import { DialogButton } from "@/components/ui/dialog-button";
import { Field } from "@/components/ui/field";
import { Form, FormActions } from "@/components/ui/form";
import { Input } from "@/components/ui/input";
import type { ServerView } from "@/server/trpc/routers/mcp/view";
import { HeaderFields } from "./header-fields";
import { getAccess, listRows, toOAuth } from "./header-rows";
import { OAuthFields } from "./oauth-fields";
import { Unsent } from "./unsent";
import { useRegistryForm } from "./use-registry";

type Props = { readonly server: ServerView; readonly url: string; readonly reason: string | null };

const ConnectionForm = ({ server, url, close }: Pick<Props, "server" | "url"> & { readonly close: () => void }) => {
  const { submit, isPending, error, problem } = useRegistryForm();
  const [address, setAddress] = useState(url);
  const [rows, setRows] = useState(() => listRows(server.access.headers));
  const [oauth, setOAuth] = useState(() => toOAuth(server.access.auth));
  const save = async () => {
    const { id, revision } = server;
    const { access, ...found } = getAccess(id, rows, oauth);
    const transport = { type: "http" as const, url: address.trim() };
    const command = access ? { type: "set_transport" as const, id, revision, transport, access } : null;
    if (await submit({ command, ...found }, "Server moved to quarantine. Review its tools.")) close();
  };

  return (
    <Form onSubmit={save} error={error}>
      <Unsent problem={problem} />
      <Field label="Address" hint="A public https:// address, or one that your operator allows.">
        <Input inputMode="url" autoComplete="off" value={address} onChange={(event) => setAddress(event.target.value)} />
      </Field>
      <HeaderFields server={server.id} rows={rows} onChange={setRows} />
      <OAuthFields value={oauth} onChange={setOAuth} />
      <FormActions submit="Save and quarantine" pending={isPending ? "Saving…" : null} onCancel={close} />
    </Form>
  );
};

/** Changes the address or credentials, which requires review; a secret's value does not. */
export const ChangeConnection = ({ server, url, reason }: Props) => (
  <DialogButton
    label="Change address or credentials…"
    buttonSize="sm"
    disabledReason={reason}
    size="lg"
    title={`Change the connection of ${server.name}`}
    description="The server goes back to quarantine. To replace a stored secret without a new review, use the MCP servers page."
  >
    {(close) => <ConnectionForm server={server} url={url} close={close} />}
  </DialogButton>
);
