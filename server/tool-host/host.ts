import { AppError } from "@/lib/errors";
import { verifyCallProof, type CallProofVerdict } from "@/lib/engine/outside/call-proof";
import type { PublicKeys } from "@/lib/engine/ledger/signature";
import type { CallProgress } from "@/lib/mcp/progress";
import type { Clock } from "@/server/clock";
import type { Handlers } from "@/server/ipc/peer";
import type { LocalConnection } from "@/server/mcp/connection";
import type { StartContainer } from "@/server/mcp/containers/client";
import { openLocally } from "@/server/mcp/local-connector";
import type { Installation } from "@/server/mcp/programs/installation";
import { readMailbox } from "@/server/mail/mailbox";
import { sendMail } from "@/server/notify/mail-send";
import { SEND_TIMEOUT_MS } from "@/server/notify/message";
import { sendBy } from "@/server/notify/send";
import { createEgress } from "@/server/security/egress";
import { createSpentProofs } from "./spent-proofs";
import type { hostProtocol } from "./protocol";

const MAX_CONNECTIONS = 256;

export type ToolHostOptions = {
  readonly installation: Installation;
  readonly scratch: string;
  readonly clock: Clock;
  readonly publicKeys: () => Promise<PublicKeys>;
  readonly startContainer?: StartContainer | null;
  readonly tell: {
    readonly progress: (call: string, progress: CallProgress) => void;
    readonly closed: (connection: string) => void;
    readonly updated: (connection: string, uri: string) => void;
  };
};

type Held = { readonly workspace: string; readonly server: string; readonly connection: LocalConnection };

export type ToolHost = { readonly handlers: Handlers<typeof hostProtocol>; close(): Promise<void> };

const lost = (): AppError => new AppError("server_unreachable", { message: "The connection has ended." });

/** Bound to the first workspace that opens. */
export const createToolHost = ({ installation, scratch, clock, publicKeys, startContainer = null, tell }: ToolHostOptions): ToolHost => {
  const connections = new Map<string, Held>();
  const spent = createSpentProofs();
  let own: string | null = null;

  const demand = (id: string): Held => {
    const found = connections.get(id);
    if (!found) throw lost();

    return found;
  };

  type CallRequest = Parameters<ToolHost["handlers"]["call"]>[0];

  const authorize = async ({ workspace, server, connection }: Held, call: CallRequest): Promise<CallProofVerdict> => {
    const definitionDigest = connection.listedDigest(call.tool);
    // Not listed: the server lacks it, whatever was reviewed.
    if (definitionDigest === null) return { ok: false, fault: "intent_differs" };
    const proven = { workspace, server, tool: call.tool, definitionDigest, arguments: call.arguments, meta: call.meta };
    const verdict = await verifyCallProof(call.proof, proven, clock.now(), await publicKeys());
    if (!verdict.ok || spent.spend(verdict.id, verdict.mayRepeat)) return verdict;

    return { ok: false, fault: "proof_spent" };
  };

  const handlers: ToolHost["handlers"] = {
    open: async ({ connection: id, egress, isolation, sandboxLevel, ...opening }) => {
      own ??= opening.workspace;
      if (own !== opening.workspace || connections.has(id) || connections.size >= MAX_CONNECTIONS) throw lost();
      const options = { installation, scratch, egress, clock, isolation: async () => isolation, sandboxLevel, startContainer };
      const connection = await openLocally(opening, options, {
        onClosed: () => {
          connections.delete(id);
          tell.closed(id);
        },
        onUpdated: (uri) => tell.updated(id, uri),
      });
      const { workspace, server } = opening;
      connections.set(id, { workspace, server, connection });

      return { protocol: connection.protocol, era: connection.era, identity: connection.identity };
    },
    catalog: async ({ connection, fresh }) => {
      const { connection: open } = demand(connection);
      const catalog = await open.catalog({ fresh });

      return { tools: [...catalog.values()].map(({ definition }) => definition), unusable: [...open.unusable()] };
    },
    call: async (call, signal) => {
      const held = demand(call.connection);
      const verdict = await authorize(held, call);
      if (!verdict.ok) return { status: "unauthorized", result: null, fault: verdict.fault };
      const { tool, arguments: args, meta, input, limits } = call;
      const outcome = await held.connection.call(
        { tool, arguments: args, meta, input, limits, onProgress: (progress) => tell.progress(call.call, progress) },
        signal,
      );
      spent.settle(verdict.id);

      return outcome;
    },
    read: async ({ connection, uri }, signal) => demand(connection).connection.readResource(uri, signal),
    close: async ({ connection }) => {
      const found = connections.get(connection);
      connections.delete(connection);
      await found?.connection.close();

      return null;
    },
    send: async ({ egress: policy, ...message }) => {
      const egress = createEgress({ policy, headTimeoutMs: SEND_TIMEOUT_MS, idleTimeoutMs: SEND_TIMEOUT_MS });
      try {
        return await sendBy(egress)("", message);
      } finally {
        await egress.close();
      }
    },
    mail: (request) => sendMail(request),
    mailbox: ({ egress, ...request }) => readMailbox(request, { egress }),
  };

  return {
    handlers,
    close: async () => {
      await Promise.all([...connections.values()].map(({ connection }) => connection.close().catch(() => undefined)));
    },
  };
};
