import type { AdminChanged } from "@/lib/engine/events/workspace";
import type { Principal } from "@/lib/engine/principal";
import { digestInForce, getSettingsKey, type WorkspaceAuthority } from "@/lib/engine/ledger/workspace-authority";
import { createAdminStepSigner, ENGINE, type AdminSigning } from "@/server/runner/admin-ledger";
import { appendOwnRecords } from "@/server/store/runs/attempts";
import type { AuthorityReader } from "@/server/store/trust/authority";
import { listProjections, type Projection } from "@/server/store/ledger/projections";

const MOST_IN_RECORD = 500;

const changeOf = (authority: WorkspaceAuthority, { area, subject, digest }: Projection): AdminChanged => ({
  type: "admin_changed",
  area,
  subject,
  step: "adopted",
  before: digestInForce(authority, area, subject),
  after: digest,
});

export const listDifferingRows = (authority: WorkspaceAuthority, rows: readonly Projection[]): Projection[] =>
  rows.filter(({ area, subject, digest }) => authority.settings.get(getSettingsKey(area, subject))?.digest !== digest);

/** Records rows that predate their records. @throws AuthorityUnverified */
export const adoptRows = async (
  signing: AdminSigning,
  reader: AuthorityReader,
  workspaceId: string,
  by: Principal = ENGINE,
): Promise<readonly Projection[]> => {
  let adopted: readonly Projection[] = [];
  await appendOwnRecords(workspaceId, async (client) => {
    const authority = await reader.read(workspaceId, client);
    adopted = listDifferingRows(authority, await listProjections(client, workspaceId));
    const changes = adopted.map((row) => changeOf(authority, row));
    const chunks = Array.from({ length: Math.ceil(changes.length / MOST_IN_RECORD) }, (_, nth) =>
      changes.slice(nth * MOST_IN_RECORD, (nth + 1) * MOST_IN_RECORD),
    );

    return chunks.flatMap(([first, ...also]) => (first ? [createAdminStepSigner(signing, workspaceId, { by, ...first, also })] : []));
  });

  return adopted;
};
