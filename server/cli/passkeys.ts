import { systemClock } from "@/server/clock";
import { allowAsOperator } from "@/server/runner/passkeys";
import { listHandovers, listPublicKeys } from "@/server/security/trust-anchor";
import { createAuthorityReader, isAuthorityError } from "@/server/store/trust/authority";
import { findMembersByEmail } from "@/server/store/people/members";
import { getRoles } from "@/server/store/people/principals";
import { parseArguments } from "./arguments";
import { CliFailure, type CliCommand } from "./host";
import { awaitAnswer, demandSigner, useInstalledDatabase } from "./installed";
import { formatJsonLine } from "./problem";

export const runPasskeysCommand: CliCommand = async (argv, host) => {
  const [verb, ...rest] = argv;
  if (verb !== "allow") throw new CliFailure("usage: countersign passkeys allow EMAIL");
  const { operand } = parseArguments(rest, "e-mail address", {});
  useInstalledDatabase(host);
  const reader = createAuthorityReader({ publicKeys: listPublicKeys, handovers: listHandovers });
  const members = await awaitAnswer(findMembersByEmail(operand.toLowerCase()));
  if (members.length === 0) throw new CliFailure(`no account has the e-mail address ${operand}`);
  const signer = demandSigner(host.home);
  let allowed = 0;
  for (const { workspace, user, name } of members) {
    const roles = await awaitAnswer(
      getRoles(reader, workspace, [user]).catch((error: unknown) => {
        throw isAuthorityError(error) ? new CliFailure(error.message, error) : error;
      }),
    );
    const role = roles[user];
    if (!role) continue;
    allowed += 1;
    const untilMs = await awaitAnswer(allowAsOperator({ clock: systemClock, signer }, workspace, user));
    await host.out(formatJsonLine({ workspace, user, name, role, until: new Date(untilMs).toISOString() }));
  }
  if (allowed === 0) throw new CliFailure(`account ${operand} is disabled`);

  return 0;
};
