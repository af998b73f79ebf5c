/** Sends a model step to the runner and explains a refusal. */
import type { Sender } from "@/server/store/runs/command-envelope";
import { AppError } from "@/lib/errors";
import type { ModelChange } from "@/lib/model-change";
import { workspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import { decideModelChange, type StepFault } from "@/server/models/decide-change";
import { listModels } from "@/server/store/health";
import { modelSettings } from "@/server/store/workspaces/model-settings";
import { submitCommand } from "@/server/web/submit-command";

const REASONS = {
  gone: "There is no such provider any more.",
  taken: "There is one under this name already.",
  stale: "Somebody changed this in the meantime: look at it again.",
  limit: "A workspace has no more of them than it has now.",
  unknown_provider: "This workspace has no such provider of its own.",
  unknown_model: "There is no such model here.",
  not_allowed: "Only a model that may be chosen can be a default.",
  address_missing: "An OpenAI-compatible server needs a base URL.",
  local_without_address: "Local addresses can only be allowed for a base URL that is given.",
  key_needed: "The address is another one, so the key has to be entered again: the one that is kept is only ever sent to where it was for.",
  always_there: "Scripted models are always there and cost nothing.",
  url_invalid: "The base URL is no address.",
  scheme_not_http: "The base URL must begin with https://.",
  credentials_in_url: "The base URL must not hold a user name or a password: the key has its own field.",
  host_not_public:
    "The base URL is not a public address. Local and private networks are refused unless local addresses are allowed for it.",
  not_https: "The base URL must begin with https://, or the key could be read along on the way.",
  not_plain: "The base URL must not have a query or a fragment.",
} as const satisfies Record<StepFault, string>;

const codeOf = (fault: StepFault) => {
  if (fault === "gone") return "not_found";

  return fault === "taken" || fault === "stale" ? "conflict" : "bad_request";
};

/** The runner's reason, as far as it still applies. */
const explained = async (workspaceId: string, change: ModelChange, refusal: AppError): Promise<AppError> => {
  const [installation, { settings }] = await Promise.all([listModels(), modelSettings(workspaceId)]);
  const decided = decideModelChange(settings, change, new Set(installation.map(({ id }) => id)));
  if (decided.ok) return refusal;

  return new AppError(codeOf(decided.fault), { message: REASONS[decided.fault] });
};

/** @returns its record in the workspace's ledger @throws AppError */
export const submitModelChange = async (workspaceId: string, author: Sender, change: ModelChange): Promise<{ readonly record: number }> => {
  const body = { kind: "models_step", change } as const;
  try {
    const { seq: record } = await submitCommand({ workspaceId, author, runId: workspaceLedgerId(workspaceId), body });

    return { record };
  } catch (error) {
    if (error instanceof AppError && error.code === "refused") throw await explained(workspaceId, change, error);
    throw error;
  }
};
