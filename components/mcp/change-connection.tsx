"use client";

import { useState } from "react";
import { toApiError, type ApiError } from "@/components/trpc/api-error";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Form } from "@/components/ui/form";
import { Input } from "@/components/ui/input";
import type { ServerView } from "@/server/trpc/routers/mcp/view";
import { Failure } from "./failure";
import { OAuthFields } from "./oauth-fields";
import { HeaderFields } from "./header-fields";
import { getAccess, toOAuth, listRows } from "./header-rows";
import { useRegistry } from "./use-registry";
import { useSecrets } from "./use-secrets";

const FORM = "connection";

type Props = { readonly server: ServerView; readonly url: string; readonly reason: string | null };

const Fields = ({ server, url, onDone }: Pick<Props, "server" | "url"> & { readonly onDone: () => void }) => {
  const { send, failure } = useRegistry({ showsFailure: true });
  const { putAll } = useSecrets();
  const [address, setAddress] = useState(url);
  const [rows, setRows] = useState(() => listRows(server.access.headers));
  const [oauth, setOAuth] = useState(() => toOAuth(server.access.auth));
  const [problem, setProblem] = useState<string | null>(null);
  const [secretFailure, setSecretFailure] = useState<ApiError | null>(null);
  const submit = async () => {
    const access = getAccess(server.id, rows, oauth);
    setProblem(access.problem);
    setSecretFailure(null);
    if (access.problem !== null) return;
    try {
      await putAll(access.secrets);
    } catch (error) {
      setSecretFailure(toApiError(error));

      return;
    }
    const { id, revision } = server;
    const transport = { type: "http" as const, url: address.trim() };
    if (
      await send({ type: "set_transport", id, revision, transport, access: access.value }, "Server moved to quarantine. Review its tools.")
    )
      onDone();
  };

  return (
    <Form id={FORM} onSubmit={() => void submit()}>
      <Failure failure={failure ?? secretFailure} />
      {problem === null ? null : (
        <Callout kind="refused" alert title={problem}>
          Nothing was sent.
        </Callout>
      )}
      <Field label="Address" hint="A public https:// address, or one that your operator allows.">
        <Input inputMode="url" autoComplete="off" value={address} onChange={(event) => setAddress(event.target.value)} />
      </Field>
      <HeaderFields server={server.id} rows={rows} onChange={setRows} />
      <OAuthFields value={oauth} onChange={setOAuth} />
    </Form>
  );
};

/** Changes the address or credentials, which requires review; a secret's value does not. */
export const ChangeConnection = ({ server, url, reason }: Props) => {
  const [isOpen, setIsOpen] = useState(false);

  return (
    <>
      <Button size="sm" disabledReason={reason} onClick={() => setIsOpen(true)}>
        Change address or credentials…
      </Button>
      <Dialog
        open={isOpen}
        onOpenChange={setIsOpen}
        size="lg"
        title={`Change the connection of ${server.name}`}
        description="The server goes back to quarantine. To replace a stored secret without a new review, use the MCP servers page."
        footer={
          <>
            <Button onClick={() => setIsOpen(false)}>Cancel</Button>
            <Button type="submit" form={FORM} variant="primary">
              Save and quarantine
            </Button>
          </>
        }
      >
        <Fields server={server} url={url} onDone={() => setIsOpen(false)} />
      </Dialog>
    </>
  );
};
