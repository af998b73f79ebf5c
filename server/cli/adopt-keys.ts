/** The operator names the first genuine key: database writers could have added one. */
import { computeHandoverDigest, type SignedHandover } from "@/lib/engine/ledger/handover";
import { computeKid, getKeys, verifyAnchor, type TrustAnchor } from "@/lib/engine/ledger/trust-anchor";
import { writeAnchor } from "@/server/security/anchor-file";
import type { Signer } from "@/server/security/keyring";
import { inTurn } from "@/server/store/ledger/cells-rotation";
import { dropOtherHints, listKeyHints, type KeyHint } from "@/server/store/trust/key-hints";
import { thawRuns } from "@/server/store/ledger/run-heads";
import { parseArguments } from "./arguments";
import { CliFailure, type CliCommand, type CliHost } from "./host";
import { awaitAnswer, demandSigner, useInstalledDatabase } from "./installed";
import { loadHomeAnchor } from "./keys";
import { formatJsonLine } from "./problem";

type Linked = KeyHint & { readonly handover: SignedHandover };

const pathFrom = (kid: string, hints: readonly KeyHint[], anchor: TrustAnchor): readonly Linked[] | null => {
  const first = anchor.keys[0]?.kid;
  const path: Linked[] = [];
  for (let next = kid; next !== first;) {
    const hint = hints.find((one) => one.kid === next);
    // Longer than all of them: a cycle.
    if (!hint?.handover || path.length > hints.length) return null;
    path.push({ ...hint, handover: hint.handover });
    next = hint.handover.statement.to;
  }

  return path;
};

/** Only the database dates keys, so each counts from its predecessor's end. */
const adopted = (path: readonly Linked[], { v, keys, handovers }: TrustAnchor, signer: Signer): TrustAnchor => {
  const ends = path.map(({ handover }) => handover.statement.at);
  const [first, ...later] = keys;

  return {
    v,
    keys: [
      ...path.map(({ kid, publicKey }, index) => ({ kid, public_key: publicKey, since: ends[index - 1] ?? 0 })),
      ...(first ? [{ ...first, since: ends.at(-1) ?? first.since }] : []),
      ...later,
    ],
    handovers: [
      ...path.map(({ handover: { statement, signature } }) => ({
        statement,
        signature,
        countersignature: signer.signDigest(computeHandoverDigest(statement)),
        legacy: signer.kid,
      })),
      ...handovers,
    ],
  };
};

const withPredecessors = async (kid: string, hints: readonly KeyHint[], anchor: TrustAnchor, home: string): Promise<TrustAnchor> => {
  const signer = demandSigner(home);
  const path = pathFrom(kid, hints, anchor);
  const made = path && path.length > 0 ? adopted(path, anchor, signer) : null;
  if (!made || (await verifyAnchor(made)) !== null) {
    throw new CliFailure(`no signed chain of hand-overs leads from key ${kid} to the keys of this installation`);
  }

  return made;
};

const candidates = async (hints: readonly KeyHint[], anchor: TrustAnchor, home: string) =>
  Promise.all(
    hints.map(async ({ kid, publicKey, knownSince }) => ({
      key: kid,
      public_key: publicKey,
      known_since: knownSince,
      leads_here: kid === computeKid(publicKey) && (await withPredecessors(kid, hints, anchor, home).then(Boolean, () => false)),
    })),
  );

const adopt = async ({ home }: CliHost, kid: string): Promise<object> => {
  const anchor = await loadHomeAnchor(home);
  const made = await withPredecessors(kid, await listKeyHints(), anchor, home);
  await writeAnchor(home, made);

  return { adopted: Object.keys(getKeys(made)).filter((one) => !anchor.keys.some((key) => key.kid === one)), ...(await settle(made)) };
};

/** Drops the other candidates, and rechecks runs that waited for a key. */
const settle = async (anchor: TrustAnchor): Promise<object> => ({
  ignored: await dropOtherHints(Object.keys(getKeys(anchor))),
  thawed: await thawRuns("unknown_key"),
});

const unknownHints = async (anchor: TrustAnchor): Promise<readonly KeyHint[]> =>
  (await listKeyHints()).filter(({ kid }) => !anchor.keys.some((key) => key.kid === kid));

const command = async (host: CliHost, kid: string | null, isNone: boolean): Promise<object> => {
  const anchor = await loadHomeAnchor(host.home);
  if (kid !== null) return adopt(host, kid);
  if (isNone) return { adopted: [], ...(await settle(anchor)) };

  return { anchored: Object.keys(getKeys(anchor)), unconfirmed: await candidates(await unknownHints(anchor), anchor, host.home) };
};

export const adoptKeys: CliCommand = async (argv, host) => {
  const kid = argv[0] !== undefined && !argv[0].startsWith("-") ? argv[0] : null;
  const { flag } = parseArguments(argv, kid === null ? null : "KID", { none: "boolean" });
  useInstalledDatabase(host);
  await host.out(formatJsonLine(await awaitAnswer(inTurn(() => command(host, kid, flag("none"))))));

  return 0;
};
