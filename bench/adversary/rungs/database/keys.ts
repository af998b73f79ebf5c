/** A writer of the database brings a key of their own. */
import { randomUUID } from "node:crypto";
import type { Attack } from "@/bench/adversary/rungs/attack";
import { came, cameOfPaying } from "@/bench/adversary/rungs/came";
import { madeUpDecisions } from "@/bench/adversary/rungs/facts";
import { append, madeUpYes, ownKey, replayed } from "@/bench/adversary/rungs/forge";
import { openTables } from "@/bench/adversary/rungs/schema";
import { announce, atGate, paidRun, settled } from "@/bench/adversary/rungs/world";
import { canonicalJson } from "@/lib/json";
import { passkeyRecord } from "@/lib/engine/passkey-ledger";
import { recordSchema } from "@/lib/engine/record";
import { createAuthenticator } from "@/lib/engine/testing/authenticator";
import { chainOf, newKey } from "@/lib/engine/testing/ledger";
import { workspaceLedgerId } from "@/lib/engine/workspace-ledger";
import { believedPasskey } from "@/server/runner/passkeys";

export const KEY_ATTACKS: readonly Attack[] = [
  {
    name: "a decision under a key of one's own",
    why: "A key that is inserted into signing_key signs a reviewer's yes and its receipt, so that a charge is paid that nobody approved.",
    run: async (world) => {
      const run = await atGate(world);
      const key = await ownKey(world);
      await append(world, madeUpYes(await replayed(world, run), world.versions.charge, world.desk.people.reviewer), key);
      await announce(world, run);
      await settled(world, run);

      return cameOfPaying(world);
    },
  },
  {
    name: "a decision under a key that nobody knows",
    why: "The same yes under a key that no table lists.",
    run: async (world) => {
      const run = await atGate(world);
      const key = await newKey("attacker00000001");
      await append(world, madeUpYes(await replayed(world, run), world.versions.charge, world.desk.people.reviewer), key);
      await announce(world, run);
      await settled(world, run);

      return cameOfPaying(world);
    },
  },
  {
    name: "a hand-over that the old key never signed",
    why: "The installation's own row says that its key handed over to the attacker's, who then signs a reviewer's yes.",
    run: async (world) => {
      const run = await atGate(world);
      const key = await ownKey(world);
      const statement = { from: world.desk.deps.signer.kid, to: key.kid, to_key: key.public, at: Date.now() };
      await world.sql("update signing_key set handover = $2, retired_at = now() where kid = $1", [
        statement.from,
        JSON.stringify({ statement, signature: await key.sign(new Uint8Array(32)) }),
      ]);
      await append(world, madeUpYes(await replayed(world, run), world.versions.charge, world.desk.people.reviewer), key);
      await announce(world, run);
      await settled(world, run);

      return cameOfPaying(world);
    },
  },
  {
    name: "history signed anew under the installation's key id",
    why: "The public key in the table is replaced, and the whole run is signed again with another reviewer's name on the decision.",
    run: async (world) => {
      const run = await paidRun(world);
      const { reviewer, second } = world.desk.people;
      const stored = await world.sql<{ body: string; kid: string }>("select body, kid from ledger_record where run_id = $1 order by seq", [
        run,
      ]);
      const key = { ...(await newKey("")), kid: stored[0]?.kid ?? "" };
      const records = stored.map(({ body }) => recordSchema.parse(JSON.parse(body.replaceAll(reviewer, second))));
      await openTables(world);
      const chain = await chainOf(records, key);
      for (const { record, digest, signature } of chain) {
        await world.sql("update ledger_record set body = $3, digest = $4, signature = $5 where run_id = $1 and seq = $2", [
          run,
          record.seq,
          canonicalJson(record),
          digest,
          signature,
        ]);
      }
      await world.sql("update run set head = $2 where id = $1", [run, chain.at(-1)?.digest]);
      await world.sql("update signing_key set public_key = $2 where kid = $1", [key.kid, key.public]);

      return came(world, (await madeUpDecisions(world)).length > 0);
    },
  },
  {
    name: "a passkey under a key of one's own",
    why: "A record of the workspace's ledger, signed with an inserted key, gives a reviewer a passkey that the attacker holds.",
    run: async (world) => {
      const { workspace, people, deps } = world.desk;
      const key = await ownKey(world);
      const { passkey } = await createAuthenticator("eddsa");
      const ledger = workspaceLedgerId(workspace);
      const [end] = await world.sql<{ version: number; head: string }>(
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
      const record = passkeyRecord(asked, { type: "passkey_registered", user: people.reviewer, ...passkey }, end ?? null);
      const [signed] = await chainOf([record], key, record.parent);
      await world.sql(
        "insert into ledger_record (workspace_id, run_id, seq, body, digest, kid, signature) values ($1, $2, $3, $4, $5, $6, $7)",
        [workspace, ledger, record.seq, canonicalJson(signed?.record ?? null), signed?.digest, key.kid, signed?.signature],
      );
      const assertion = { credential_id: passkey.credential_id, authenticator_data: "", client_data_json: "", signature: "" };

      return came(world, (await believedPasskey(deps, workspace, people.reviewer, assertion)) !== null);
    },
  },
];
