import type { SignedCheckpoint } from "@/lib/engine/ledger/checkpoint";
import { FAULT_TEXT } from "@/lib/engine/verify/fault-text";
import type { PublicKeys } from "@/lib/engine/ledger/signature";
import { resolveTrusted, type Trusts } from "@/lib/engine/ledger/trusted";
import { verifyWorkspaceExport, listWorkspaceNotProved } from "@/lib/engine/verify/verify-workspace-export";
import { parseWorkspaceText, type WorkspaceExport } from "@/lib/engine/ledger/workspace-export";
import { readKeptCheckpoints } from "./checkpoint-lines";
import { CliFailure, type CliHost } from "./host";
import { formatJsonLine } from "./problem";
import { KEYS_FROM_EXPORT } from "./trust-warnings";

const NOTHING_KEPT =
  "No checkpoint from elsewhere was given, so records that were removed together with every reference to them go unnoticed. Use --kept FILE with a checkpoint.";

const keptFor = async (file: string | null, { workspace }: WorkspaceExport, given: PublicKeys | null): Promise<SignedCheckpoint[]> => {
  if (file === null) return [];
  const { checkpoints } = await readKeptCheckpoints(file, given);
  const own = checkpoints.map(({ signed }) => signed).filter(({ checkpoint }) => checkpoint.origin === workspace);
  if (own.length === 0) throw new CliFailure(`${file} contains no checkpoint of workspace ${workspace}`);

  return own;
};

export const verifyWorkspaceText = async (host: CliHost, text: string, trusts: Trusts, keptFile: string | null): Promise<number> => {
  const parsed = parseWorkspaceText(text);
  if (!parsed.ok) {
    const message = `The file is incomplete or damaged (${parsed.error}).`;
    await host.out(formatJsonLine({ ok: false, run: null, seq: null, reason: "not_an_export", message, warnings: [] }));

    return 1;
  }
  const document = parsed.value;
  const { keys, handovers, isOwn } = await resolveTrusted(trusts, { keys: document.public_keys, handovers: document.handovers });
  const kept = await keptFor(keptFile, document, isOwn ? null : keys);
  const result = await verifyWorkspaceExport(document, keys, { kept, handovers });
  const about = { workspace: document.workspace };
  const warnings = [...(isOwn ? [KEYS_FROM_EXPORT] : []), ...(kept.length === 0 ? [NOTHING_KEPT] : [])];
  if (!result.ok) {
    const { reason, run, seq, logIntactTo } = result;
    await host.out(
      formatJsonLine({ ok: false, ...about, run, seq, reason, log_intact_to: logIntactTo, message: FAULT_TEXT[reason], warnings }),
    );

    return 1;
  }
  const { runs, records, counted, logged, pending, checkpoints, newest } = result;
  await host.out(
    formatJsonLine({
      ok: true,
      ...about,
      runs,
      records,
      counted,
      logged_since: logged,
      not_logged: pending,
      checkpoints,
      newest: newest?.checkpoint ?? null,
      kept: kept.length,
      warnings,
      not_proved: listWorkspaceNotProved(kept.length > 0),
    }),
  );

  return 0;
};
