import type { Sender } from "@/server/store/runs/command-envelope";
import { AppError } from "@/lib/errors";
import type { ModelChange } from "@/lib/model-change";
import { decideModelChange, type StepFault } from "@/server/models/decide-change";
import { listModels } from "@/server/store/health";
import { getModelSettings } from "@/server/store/workspaces/model-settings";
import { readAuthority } from "@/server/web/authority";
import { submitToWorkspace } from "@/server/web/submit-command";

const REASONS = {
  gone: "This provider no longer exists.",
  taken: "One with this ID already exists.",
  stale: "Someone else changed this. Review it again.",
  limit: "The workspace has reached the limit.",
  unknown_provider: "This workspace has no such provider.",
  unknown_model: "Model not found.",
  not_allowed: "Only an allowed model can be a default.",
  address_missing: "An OpenAI-compatible server needs a base URL.",
  local_without_address: "Enter a base URL to allow local addresses.",
  key_needed: "The address changed. Enter the key again, because a stored key is only sent to its original address.",
  unknown_environment: "This workspace has no such environment.",
  environment_keys_stored:
    "Remove the environments' keys before you change the address, because a stored key is only sent to its original address.",
  key_absent: "This environment has no key of its own.",
  always_there: "Scripted models are always available and free.",
  url_invalid: "The base URL is invalid.",
  scheme_not_http: "The base URL must begin with https://.",
  credentials_in_url: "The base URL must not contain a user name or password. Use the key field.",
  host_not_public: "The base URL is not a public address. Local and private networks are refused unless local addresses are allowed.",
  not_https: "The base URL must begin with https://, or the key could be read in transit.",
  not_plain: "The base URL must not have a query or a fragment.",
} as const satisfies Record<StepFault, string>;

const codeOf = (fault: StepFault) => {
  if (fault === "gone") return "not_found";

  return fault === "taken" || fault === "stale" ? "conflict" : "bad_request";
};

const explained = async (workspaceId: string, change: ModelChange, refusal: AppError): Promise<AppError> => {
  const [installation, { settings }, { environments }] = await Promise.all([
    listModels(),
    getModelSettings(workspaceId),
    readAuthority(workspaceId),
  ]);
  const toIds = (all: readonly { readonly id: string }[]): ReadonlySet<string> => new Set(all.map(({ id }) => id));
  const decided = decideModelChange(settings, change, { models: toIds(installation), environments: toIds(environments.list) });
  if (decided.ok) return refusal;

  return new AppError(codeOf(decided.fault), { message: REASONS[decided.fault] });
};

/** Returns its record in the workspace's ledger. @throws AppError */
export const submitModelChange = async (workspaceId: string, author: Sender, change: ModelChange): Promise<{ readonly record: number }> => {
  try {
    return await submitToWorkspace({ workspaceId, author }, { kind: "models_step", change });
  } catch (error) {
    if (error instanceof AppError && error.code === "refused") throw await explained(workspaceId, change, error);
    throw error;
  }
};
