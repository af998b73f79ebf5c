"use client";

import { SignatureNote } from "@/components/passkeys/signature-note";
import { Button } from "@/components/ui/button";
import { canStep, type StatusStep } from "@/lib/mcp/status";
import { explainDenial, type Role } from "@/lib/roles";
import type { ServerView } from "@/server/trpc/routers/mcp/view";
import { RevokeServer } from "./revoke-server";
import { InspectServer } from "./inspect-server";
import { ReviewTools } from "./review-tools";
import { isDrifted } from "./server-drift";
import { useRegistry } from "./use-registry";

type Props = { readonly server: ServerView; readonly role: Role };

const STEP_TEXTS = {
  activate: { label: "Activate", pending: "Activating…", done: "Server activated." },
  suspend: { label: "Suspend", pending: "Suspending…", done: "Server suspended. Its next call is refused." },
  resume: { label: "Resume", pending: "Resuming…", done: "Server resumed." },
} as const satisfies Record<Exclude<StatusStep, "revoke">, { label: string; pending: string; done: string }>;

const STEPS = ["suspend", "activate", "resume"] as const;

/** Actions in the server's status; the next step is primary. */
export const ServerActions = ({ server, role }: Props) => {
  const { send, pending } = useRegistry();
  const reason = explainDenial(role, "mcp.manage");
  const { id, revision, status } = server;
  if (status === "revoked") return null;
  const hasDrift = isDrifted(server);
  const isReviewDue = status === "quarantined" || ((status === "suspended" || status === "drifted") && hasDrift);
  // Only drift requires a second review.
  const steps = STEPS.filter(
    (step) => canStep(status, step) && !(step === "suspend" && status === "reviewed") && !(step === "resume" && hasDrift),
  );

  return (
    <>
      <RevokeServer server={server} reason={reason} />
      {status === "discovered" ? (
        <InspectServer server={server} role={role} reason={reason} />
      ) : (
        <Button
          variant="ghost"
          disabledReason={reason}
          pending={pending === "inspect" ? "Inspecting…" : null}
          onClick={() => void send({ type: "inspect", id, revision }, "Tools listed.")}
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
      {steps.some((step) => step !== "suspend") ? <SignatureNote to={`activate ${server.name}`} /> : null}
      {isReviewDue ? <ReviewTools server={server} reason={reason} /> : null}
    </>
  );
};
