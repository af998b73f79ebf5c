import { randomUUID } from "node:crypto";
import { ensureHome } from "@/bin/start/home";
import type { SeedPlace } from "@/bench/runs/seed";
import { loadSigner } from "@/server/security/keyring";
import { useTrustAnchor } from "@/server/security/trust-anchor";
import { loadVault } from "@/server/security/vault";
import { queryOn } from "@/server/testing/connections";

type Urls = { readonly admin: string; readonly runner: string };

const addPerson = async (admin: string, workspace: string, role: "builder" | "reviewer") => {
  const id = randomUUID();
  await queryOn(admin, "insert into app_user (id, email, name) values ($1, $2, $3)", [id, `${id}@example.com`, role]);
  await queryOn(admin, "insert into membership (workspace_id, user_id, role) values ($1, $2, $3)", [workspace, id, role]);

  return { workspace, id };
};

/** @param home created with keys if missing */
export const freshPlace = async (urls: Urls, home: string): Promise<SeedPlace> => {
  ensureHome(home);
  const workspace = randomUUID();
  await queryOn(urls.admin, "insert into workspace (id, name) values ($1, 'Measured')", [workspace]);
  const [builder, reviewer] = [await addPerson(urls.admin, workspace, "builder"), await addPerson(urls.admin, workspace, "reviewer")];
  const signer = loadSigner(home);
  useTrustAnchor(home);

  return { urls, signer, vault: loadVault(home), builder, reviewer };
};
