"use client";

import { ConfirmAction } from "@/components/ui/confirm-action";
import type { Role } from "@/lib/roles";
import type { ServerView } from "@/server/trpc/routers/mcp/view";
import { FactList } from "./fact-list";
import { listAccessFacts, listTransportFacts } from "./transport-text";
import { useProgramOf } from "./use-programs";
import { useRegistry } from "./use-registry";

type Props = { readonly server: ServerView; readonly role: Role; readonly reason: string | null };

/** First contact, after confirming the digest. */
export const InspectServer = ({ server, role, reason }: Props) => {
  const { act } = useRegistry();
  const { transport, access, id, name, revision } = server;
  const program = useProgramOf(server, role);
  const isProgram = transport?.type === "stdio";

  return (
    <ConfirmAction
      label="Inspect…"
      variant="primary"
      confirmVariant="primary"
      disabledReason={reason ?? (transport ? null : "The connection is invalid")}
      size="lg"
      title={`Inspect ${name}`}
      consequence={
        isProgram
          ? "Starts the program once and lists its tools. No tool is called."
          : "Connects once and lists the tools. No tool is called."
      }
      confirm={isProgram ? "Confirm digest and inspect" : "Inspect"}
      pending="Inspecting…"
      done="Tools listed. The server is in quarantine."
      act={() => act({ type: "inspect", id, revision })}
    >
      <FactList facts={transport ? [...listTransportFacts(transport, program), ...listAccessFacts(access, transport)] : []} />
    </ConfirmAction>
  );
};
