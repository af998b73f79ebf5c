"use client";

import { SignatureNote } from "@/components/passkeys/signature-note";
import { Button } from "@/components/ui/button";
import { mayStep, type StatusStep } from "@/lib/mcp/status";
import { whyNot, type Role } from "@/lib/roles";
import type { ServerView } from "@/server/trpc/routers/mcp/view";
import { ConfirmStep } from "./confirm-step";
import { InspectServer } from "./inspect-server";
import { ReviewTools } from "./review-tools";
import { isDrifted } from "./server-drift";
import { useRegistry } from "./use-registry";

type Props = { readonly server: ServerView; readonly role: Role };

const STEP_TEXTS = {
  activate: { label: "Activate", pending: "Activating…", done: "The server is active." },
  suspend: { label: "Suspend", pending: "Suspending…", done: "The server is suspended: its next call is refused." },
  resume: { label: "Resume", pending: "Resuming…", done: "The server is active again." },
} as const satisfies Record<Exclude<StatusStep, "revoke">, { label: string; pending: string; done: string }>;

const STEPS = ["suspend", "activate", "resume"] as const;

/** The steps that fit the server's place in life; the one that leads on is the primary one. */
export const ServerActions = ({ server, role }: Props) => {
  const { send, pending } = useRegistry();
  const reason = whyNot(role, "mcp.manage");
  const { id, revision, status } = server;
  if (status === "revoked") return null;
  const hasDrift = isDrifted(server);
  const isReviewDue = status === "quarantined" || ((status === "suspended" || status === "drifted") && hasDrift);
  // A reviewed server that is only suspended needs no second review, and one that drifted cannot do without.
  const steps = STEPS.filter(
    (step) => mayStep(status, step) && !(step === "suspend" && status === "reviewed") && !(step === "resume" && hasDrift),
  );

  return (
    <>
      <ConfirmStep server={server} reason={reason} />
      {status === "discovered" ? (
        <InspectServer server={server} role={role} reason={reason} />
      ) : (
        <Button
          variant="ghost"
          disabledReason={reason}
          pending={pending === "inspect" ? "Inspecting…" : null}
          onClick={() => void send({ type: "inspect", id, revision }, "The tools were listed again.")}
        >
          Inspect again
        </Button>
      )}
      {steps.map((step) => (
        <Button
          key={step}
          variant={step === "suspend" ? "danger" : "primary"}
          disabledReason={reason}
          pending={pending === step ? STEP_TEXTS[step].pending : null}
          onClick={() => void send({ type: step, id, revision }, STEP_TEXTS[step].done)}
        >
          {STEP_TEXTS[step].label}
        </Button>
      ))}
      {steps.some((step) => step !== "suspend") ? <SignatureNote to={`put ${server.name} into use`} /> : null}
      {isReviewDue ? <ReviewTools server={server} reason={reason} /> : null}
    </>
  );
};
