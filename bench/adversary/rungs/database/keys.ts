/** With the writer's own key. */
import { randomUUID } from "node:crypto";
import type { Attack } from "@/bench/adversary/rungs/attack";
import { reportOutcome, reportPayments } from "@/bench/adversary/rungs/report-outcome";
import { findForgedDecisions } from "@/bench/adversary/rungs/facts";
import { appendForged, forgeApproval, insertOwnKey, replayWithoutValues } from "@/bench/adversary/rungs/forge";
import { notifyRunner, startRun, startToGate, completePaidRun, waitForEnd } from "@/bench/adversary/rungs/world";
import { toCanonicalJson } from "@/lib/json";
import { passkeyRecord } from "@/lib/engine/ledger/passkey-ledger";
import { recordSchema } from "@/lib/engine/ledger/record";
import { createAuthenticator } from "@/lib/engine/testing/authenticator";
import { chainOf, newKey } from "@/lib/engine/testing/ledger";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import { findBelievedPasskey } from "@/server/runner/passkeys";
import { isAuthorityError } from "@/server/store/trust/authority";

export const KEY_ATTACKS: readonly Attack[] = [
  {
    name: "forge an approval under an inserted key",
    why: "Insert a public key into key_hint and sign a reviewer's decision and receipt with it.",
    run: async (world) => {
      const run = await startToGate(world);
      const key = await insertOwnKey(world);
      await appendForged(
        world,
        forgeApproval(await replayWithoutValues(world, run), world.versions.charge, world.desk.people.reviewer),
        key,
      );
      await notifyRunner(world, run);
      await waitForEnd(world, run);

      return reportPayments(world);
    },
  },
  {
    name: "forge an approval under an unknown key",
    why: "Sign the same decision with a key that no table lists.",
    run: async (world) => {
      const run = await startToGate(world);
      const key = await newKey("attacker00000001");
      await appendForged(
        world,
        forgeApproval(await replayWithoutValues(world, run), world.versions.charge, world.desk.people.reviewer),
        key,
      );
      await notifyRunner(world, run);
      await waitForEnd(world, run);

      return reportPayments(world);
    },
  },
  {
    name: "forge a key hand-over",
    why: "Store a hand-over from the installation's key to the attacker's, then sign a reviewer's decision with it.",
    run: async (world) => {
      const run = await startToGate(world);
      const key = await insertOwnKey(world);
      const statement = { from: world.desk.deps.signer.kid, to: key.kid, to_key: key.public, at: Date.now() };
      await world.sql("update key_hint set handover = $2 where kid = $1", [
        statement.from,
        JSON.stringify({ statement, signature: await key.sign(new Uint8Array(32)) }),
      ]);
      await appendForged(
        world,
        forgeApproval(await replayWithoutValues(world, run), world.versions.charge, world.desk.people.reviewer),
        key,
      );
      await notifyRunner(world, run);
      await waitForEnd(world, run);

      return reportPayments(world);
    },
  },
  {
    name: "re-sign history under the installation's key id",
    why: "Replace the public key in key_hint and re-sign a run with another reviewer's name on the decision.",
    run: async (world) => {
      const run = await completePaidRun(world);
      const { reviewer, second } = world.desk.people;
      const stored = await world.sql<{ body: string; kid: string }>("select body, kid from ledger_record where run_id = $1 order by seq", [
        run,
      ]);
      const key = { ...(await newKey("")), kid: stored[0]?.kid ?? "" };
      const records = stored.map(({ body }) => recordSchema.parse(JSON.parse(body.replaceAll(reviewer, second))));
      const chain = await chainOf(records, key);
      for (const { record, digest, signature } of chain) {
        await world.sql("update ledger_record set body = $3, digest = $4, signature = $5 where run_id = $1 and seq = $2", [
          run,
          record.seq,
          toCanonicalJson(record),
          digest,
          signature,
        ]);
      }
      await world.sql("update run set head = $2 where id = $1", [run, chain.at(-1)?.digest]);
      await world.sql("update key_hint set public_key = $2 where kid = $1", [key.kid, key.public]);

      return reportOutcome(world, (await findForgedDecisions(world)).length > 0);
    },
  },
  {
    name: "register a passkey under an inserted key",
    why: "Append a workspace record, signed with an inserted key, that gives a reviewer the attacker's passkey.",
    run: async (world) => {
      const { workspace, people, deps } = world.desk;
      const key = await insertOwnKey(world);
      const { passkey } = await createAuthenticator("eddsa");
      const ledger = getWorkspaceLedgerId(workspace);
      const [last] = await world.sql<{ version: number; head: string }>(
        "select seq + 1 as version, digest as head from ledger_record where run_id = $1 order by seq desc limit 1",
        [ledger],
      );
      const principal = { type: "user", id: people.reviewer, role: "reviewer", auditor: false } as const;
      const asked = {
        id: randomUUID(),
        workspace,
        at: Date.now(),
        principal,
        body: { kind: "passkey_register", passkey, label: "Key" },
      } as const;
      const record = passkeyRecord(asked, [{ type: "passkey_registered", user: people.reviewer, ...passkey }], last ?? null);
      const [signed] = await chainOf([record], key, record.parent);
      await world.sql(
        "insert into ledger_record (workspace_id, run_id, seq, body, digest, kid, signature) values ($1, $2, $3, $4, $5, $6, $7)",
        [workspace, ledger, record.seq, toCanonicalJson(signed?.record ?? null), signed?.digest, key.kid, signed?.signature],
      );
      const assertion = { credential_id: passkey.credential_id, authenticator_data: "", client_data_json: "", signature: "" };

      const isBelieved = await findBelievedPasskey(deps, workspace, people.reviewer, assertion).then(
        (found) => found !== null,
        (error: unknown) => {
          if (isAuthorityError(error)) return false;
          throw error;
        },
      );
      // Makes the runner read the ledger.
      await waitForEnd(world, await startRun(world));

      return reportOutcome(world, isBelieved);
    },
  },
];
