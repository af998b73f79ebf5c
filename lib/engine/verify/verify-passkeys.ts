import type { Gate, RunEvent } from "@/lib/engine/event";
import type { KnownPasskey } from "@/lib/engine/ledger/passkey-fold";
import type { LedgerRecord } from "@/lib/engine/ledger/record";

/** `registered`: signed records prove ownership. */
export type PasskeyUse = {
  readonly seq: number;
  readonly user: string;
  readonly credential_id: string;
  readonly rp_id: string;
  readonly registered: boolean;
};

type Made = Extract<RunEvent, { type: "decision_made" }>;
type Signed = NonNullable<Made["passkey"]>;
type Intended = Extract<RunEvent, { type: "effect_intended" }>;

/** Decisions in flight at a revocation, and clock skew. */
const UNDER_WAY_MS = 60_000;

const isSignedFor = async ({ workspace, run, principal }: LedgerRecord, gate: Gate, made: Made, passkey: Signed): Promise<boolean> => {
  // Loaded for passkeys only: its curves are a quarter of the verifier.
  const { computeApprovalChallenge, verifyAssertion } = await import("@/lib/engine/approvals/passkey");
  const { credential_id, authenticator_data, client_data_json, signature } = passkey;
  const challenge = computeApprovalChallenge({
    v: 1,
    workspace,
    run,
    approval_id: gate.id,
    transition_digest: gate.transition_digest,
    view_digest: made.view_digest,
    decision: made.decision,
    nonce: gate.nonce,
    user: made.user,
  });
  const assertion = { credential_id, authenticator_data, client_data_json, signature };

  return principal.type === "user" && principal.id === made.user && verifyAssertion(passkey, assertion, challenge);
};

const isOf = (known: KnownPasskey, { user }: Made, { public_key, rp_id, origin }: Signed, at: number): boolean =>
  known.user === user &&
  known.public_key === public_key &&
  known.rp_id === rp_id &&
  (known.origin === undefined || known.origin === origin) &&
  known.registeredAt <= at + UNDER_WAY_MS &&
  (known.revokedAt === null || at <= known.revokedAt + UNDER_WAY_MS);

/** Simulations may pretend approval. */
const isSimulation = ({ control }: LedgerRecord): boolean =>
  control.some((event) => event.type === "run_forked" && event.effects === "simulate");

export type PasskeyRule = {
  /** False: a required signature is missing or invalid. */
  readonly check: (record: LedgerRecord) => Promise<boolean>;
  readonly uses: () => readonly PasskeyUse[];
};

/**
 * Creates the rule.
 * @param known by signed workspace records
 */
export const createPasskeyRule = (known: readonly KnownPasskey[]): PasskeyRule => {
  const gates = new Map<string, Gate>();
  const byId = new Map(known.map((passkey) => [passkey.credential_id, passkey]));
  const uses: PasskeyUse[] = [];
  let isDemanding = false;

  const checkIntended = ({ effect_class: effect, approval_id: approval }: Intended): boolean =>
    !isDemanding || approval === null || effect === "pure" || effect === "read" || gates.get(approval)?.signature === "passkey";

  const checkMade = async (record: LedgerRecord, made: Made): Promise<boolean> => {
    const gate = gates.get(made.approval_id);
    const { passkey } = made;
    if (!passkey) return !(made.decision === "approve" && gate?.signature === "passkey");
    if (!gate || !(await isSignedFor(record, gate, made, passkey))) return false;
    const registration = byId.get(passkey.credential_id);
    if (registration && !isOf(registration, made, passkey, record.at)) return false;
    const { credential_id, rp_id } = passkey;
    uses.push({ seq: record.seq, user: made.user, credential_id, rp_id, registered: registration !== undefined });

    return true;
  };

  return {
    check: async (record) => {
      for (const event of record.control) {
        if (event.type === "gate_opened") gates.set(event.gate.id, event.gate);
        if (event.type === "run_started") isDemanding = event.approvals === "write" && !isSimulation(record);
        if (event.type === "effect_intended" && !checkIntended(event)) return false;
        if (event.type === "decision_made" && !(await checkMade(record, event))) return false;
      }

      return true;
    },
    uses: () => uses,
  };
};

/** Returns continuations of "this does not prove". */
export const listPasskeysNotProved = (uses: readonly PasskeyUse[]): readonly string[] =>
  uses.some(({ registered }) => !registered)
    ? ["who owns the passkeys: their registration records are not included, so compare credential and person with another source"]
    : [];
