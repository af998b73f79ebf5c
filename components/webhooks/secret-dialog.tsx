"use client";

import { CopyBlock } from "@/components/connect/copy-block";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Dialog } from "@/components/ui/dialog";

const VERIFY = `import { Webhook } from "standardwebhooks";

// Throws unless the body is what was signed, at most five minutes ago.
const webhook = new Webhook(process.env.COUNTERSIGN_WEBHOOK_SECRET);
webhook.verify(rawBody, request.headers);`;

type Props = { readonly secret: string; readonly note?: string; readonly onDone: () => void };

/** The secret, once. It cannot be closed by accident, because it cannot be shown again. */
export const SecretDialog = ({ secret, note, onDone }: Props) => (
  <Dialog
    open
    size="lg"
    title="Copy the secret now"
    description="It is kept sealed and not shown again. Whoever has it can pretend to be this workspace."
    footer={
      <Button variant="primary" onClick={onDone}>
        I have it
      </Button>
    }
  >
    <div className="flex flex-col gap-3">
      <CopyBlock label="secret" text={secret} />
      {note ? <Callout kind="waiting" title={note} /> : null}
      <section className="flex flex-col gap-1">
        <h3 className="text-sm font-medium">How to verify a notification</h3>
        <p className="text-sm text-muted">
          By Standard Webhooks: the headers <code className="font-mono text-xs">webhook-id</code>,{" "}
          <code className="font-mono text-xs">webhook-timestamp</code> and <code className="font-mono text-xs">webhook-signature</code> sign
          the body. The same id comes again when one is repeated. A notification never decides: it only links here.
        </p>
        <CopyBlock label="example" text={VERIFY} />
      </section>
    </div>
  </Dialog>
);
