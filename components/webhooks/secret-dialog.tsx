"use client";

import { Callout } from "@/components/ui/callout";
import { CopyBlock } from "@/components/ui/copy-block";
import { ShowOnce } from "@/components/ui/dialog-button";

const VERIFY = `import { Webhook } from "standardwebhooks";

// Throws if the signature is invalid or more than five minutes old.
const webhook = new Webhook(process.env.COUNTERSIGN_WEBHOOK_SECRET);
webhook.verify(rawBody, request.headers);`;

type Props = { readonly secret: string; readonly note?: string; readonly onDone: () => void };

export const SecretDialog = ({ secret, note, onDone }: Props) => (
  <ShowOnce
    title="Copy the secret now"
    description="It is stored encrypted and won't be shown again. Anyone with this secret can pretend to be this workspace."
    onDone={onDone}
  >
    <CopyBlock label="secret" text={secret} />
    {note ? <Callout kind="waiting" title={note} /> : null}
    <section className="flex flex-col gap-1">
      <h3 className="text-sm font-medium">Verify a webhook</h3>
      <p className="text-sm text-muted">
        Standard Webhooks: the headers <code className="font-mono text-xs">webhook-id</code>,{" "}
        <code className="font-mono text-xs">webhook-timestamp</code> and <code className="font-mono text-xs">webhook-signature</code> sign
        the body. A repeated webhook has the same id. Webhooks never decide anything; they only link here.
      </p>
      <CopyBlock label="example" text={VERIFY} />
    </section>
  </ShowOnce>
);
