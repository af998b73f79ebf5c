import { digestOf } from "@/lib/hash";
import type { Principal } from "@/lib/engine/principal";
import type { JsonObject } from "@/lib/json";
import { getAddress } from "@/lib/people/directory-user";
import type { ProvisionCommand } from "@/lib/people/provision-command";
import type { RefusalCode } from "@/lib/refusal";
import { systemClock } from "@/server/clock";
import { signOwnRecord } from "@/server/runner/admin-ledger";
import { answerRefused } from "@/server/runner/answers";
import type { RunnerDeps } from "@/server/runner/deps";
import { identifyAttempt, isPrincipal, unlessUnproved } from "@/server/runner/identify";
import type { OpenedCommand } from "@/server/runner/open-command";
import { createRateLimiter } from "@/server/security/rate-limit";
import { appendDecided, appendOwnRecord, type LedgerTransaction } from "@/server/store/runs/attempts";
import { findMemberWith } from "@/server/store/people/directory-users";
import { planGroup } from "./groups";
import type { ProvisionPlan } from "./plan";
import { planUser } from "./users";

const isUserCommand = (asked: ProvisionCommand): asked is Extract<ProvisionCommand, { user: string }> => "user" in asked;

const plan = async (
  deps: RunnerDeps,
  { workspaceId }: OpenedCommand,
  asked: ProvisionCommand,
  atMs: number,
  client: LedgerTransaction,
): Promise<ProvisionPlan | RefusalCode> => {
  const records = await deps.authority.read(workspaceId, client);
  const token = digestOf("proof", toBody(asked));
  const context = { client, records, atMs, token };

  return isUserCommand(asked) ? planUser(context, asked) : planGroup(context, asked);
};

const toBody = (asked: ProvisionCommand): JsonObject & { readonly kind: string } =>
  JSON.parse(JSON.stringify(asked)) as JsonObject & { readonly kind: string };

const refusals = createRateLimiter({ limit: 60, windowMs: 60_000 }, systemClock);

class Unrecorded extends Error {
  readonly code: RefusalCode;

  constructor(code: RefusalCode) {
    super(code);
    this.name = "Unrecorded";
    this.code = code;
  }
}

/** A refused newcomer has no name here, but the member with the address has. */
const findSubject = async (client: LedgerTransaction, workspace: string, asked: ProvisionCommand): Promise<string> => {
  if (!isUserCommand(asked)) return asked.group;
  const email = asked.kind === "provision_user_create" ? getAddress(asked.attributes) : null;

  return (email === null ? null : await findMemberWith(client, workspace, email)) ?? asked.user;
};

const decideAndRecord = (deps: RunnerDeps, command: OpenedCommand, author: Principal, asked: ProvisionCommand): Promise<void> => {
  const { workspaceId: workspace, id } = command;

  return appendDecided(workspace, id, async (client) => {
    const at = deps.clock.now();
    const identified = await identifyAttempt(deps, command);
    const by = isPrincipal(identified) && identified.type === "directory" ? identified : null;
    const planned = by ? await unlessUnproved(plan(deps, command, asked, at, client)) : "principal_not_allowed";
    if (typeof planned === "string" && !refusals.take(`${workspace} ${by?.token ?? ""}`)) throw new Unrecorded(planned);
    const proposal = { workspace, at, principal: by ?? author };
    const [outcome, subjects] =
      typeof planned === "string" ? [planned, [await findSubject(client, workspace, asked)]] : [planned.events, []];

    return {
      sign: signOwnRecord(deps, { ...proposal, id, body: toBody(asked) }, outcome, subjects),
      project: async () => {
        if (typeof planned === "string") return;
        await planned.project();
        for (const { user, code } of planned.refused ?? []) {
          const body = { kind: "provision_access", user };
          await appendOwnRecord(client, workspace, signOwnRecord(deps, { ...proposal, id: deps.clock.id(), body }, code, [user]));
        }
      },
    };
  });
};

export const carryOutProvision = async (
  deps: RunnerDeps,
  command: OpenedCommand,
  author: Principal,
  asked: ProvisionCommand,
): Promise<void> => {
  try {
    await decideAndRecord(deps, command, author, asked);
  } catch (error) {
    if (!(error instanceof Unrecorded)) throw error;
    await answerRefused(deps, command, error.code);
  }
  deps.notify(command.runId);
};
