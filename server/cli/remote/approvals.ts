import { parseArguments } from "@/server/cli/arguments";
import { CliFailure, type CliHost } from "@/server/cli/host";
import { createActions } from "./actions";
import { demandRemote, REMOTE_OPTIONS } from "./client";

const list = async (argv: readonly string[], host: CliHost): Promise<unknown> => {
  const args = parseArguments(argv, null, { ...REMOTE_OPTIONS, decided: "boolean" });

  return (await demandRemote(args, host).call("listApprovals", { tab: args.flag("decided") ? "decided" : "open" })).items;
};

const show = async (argv: readonly string[], host: CliHost): Promise<unknown> => {
  const args = parseArguments(argv, "ID", REMOTE_OPTIONS);

  return demandRemote(args, host).call("getApproval", { approvalId: args.operand });
};

const reject = async (argv: readonly string[], host: CliHost): Promise<unknown> => {
  const args = parseArguments(argv, "ID", { ...REMOTE_OPTIONS, reason: "string" });
  const reason = args.text("reason");
  if (reason === null) throw new CliFailure("--reason TEXT is needed: people read it");
  const remote = demandRemote(args, host);
  const approvalId = args.operand;
  const { transitionDigest, viewDigest, nonce } = await remote.call("getApproval", { approvalId });

  return remote.call("rejectApproval", { approvalId, transitionDigest, viewDigest, nonce, reason });
};

export const approvalsCommand = createActions({ list, show, reject });
