import { describeRule } from "@/lib/approval-rules/text";
import { systemClock } from "@/server/clock";
import { removeRuleAsOperator } from "@/server/runner/approvers";
import { listHandovers, listPublicKeys } from "@/server/security/trust-anchor";
import { createAuthorityReader } from "@/server/store/trust/authority";
import { parseArguments } from "./arguments";
import { CliFailure, type CliCommand } from "./host";
import { demandSigner, useInstalledDatabase } from "./installed";
import { awaitBelieved, listWorkspaces } from "./policy";
import { formatJsonLine } from "./problem";

export const runRulesCommand: CliCommand = async (argv, host) => {
  const [verb = "list", ...rest] = argv;
  if (verb !== "list" && verb !== "remove") throw new CliFailure(`unknown command "rules ${verb}": use list or remove`);
  const isRemoving = verb === "remove";
  const { operand, text, flag } = parseArguments(
    rest,
    isRemoving ? "rule ID" : null,
    isRemoving ? { workspace: "string", yes: "boolean" } : { workspace: "string" },
  );
  useInstalledDatabase(host);
  const reader = createAuthorityReader({ publicKeys: listPublicKeys, handovers: listHandovers });
  const workspaces = await listWorkspaces(text("workspace"));
  const found = await Promise.all(
    workspaces.map(async (workspace) => {
      const { rules, removals } = (await awaitBelieved(reader.read(workspace))).approvers;

      return [...rules.values()].map((rule) => ({
        workspace,
        id: rule.id,
        rule: describeRule(rule),
        removal: removals.get(rule.id) ?? null,
      }));
    }),
  );
  const shown = found.flat().filter(({ id }) => !isRemoving || id === operand);
  for (const rule of shown) await host.out(formatJsonLine(rule));
  if (!isRemoving) return 0;
  const [rule] = shown;
  if (!rule) throw new CliFailure("no such rule: list them with countersign rules");
  if (!flag("yes")) throw new CliFailure("this would remove the rule without a second admin: run again with --yes to confirm");
  await awaitBelieved(removeRuleAsOperator({ clock: systemClock, signer: demandSigner(host.home) }, reader, rule.workspace, rule.id));

  return 0;
};
