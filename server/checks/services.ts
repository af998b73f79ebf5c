import { createCheck, type Check } from "@/lib/checks";
import { computeProgramDigest, type Program } from "@/lib/mcp/program";
import { ADDRESS_REASONS } from "@/lib/mcp/refused-address";
import { getBaseUrl, getProvider, OWN_BASE_URLS } from "@/lib/model-provider";
import { getProviderPolicy } from "@/server/models/own-policy";
import type { Entry } from "@/server/models/providers";
import { createEgress } from "@/server/security/egress";
import type { EgressPolicy } from "@/server/security/egress-url";
import type { McpServerRow } from "@/server/store/mcp/row";
import { listMcpServers } from "@/server/store/mcp/servers";
import { listModels } from "@/server/store/health";
import { getModelSettings } from "@/server/store/workspaces/model-settings";
import { listProviderCircuits } from "@/server/store/workspaces/provider-circuits";

const judge = ({ id, transport, refused, lastError }: McpServerRow, programs: readonly Program[] | null): Check | null => {
  const server = id;
  if (refused) return createCheck("server_refused", { server, origin: refused.origin, reason: ADDRESS_REASONS[refused.fault] });
  if (!transport) return createCheck("server_gone", { server });
  if (transport.type === "stdio" && programs !== null) {
    const { program, digest } = transport.manifest;
    if (!programs.some((one) => one.id === program && computeProgramDigest(one) === digest)) return createCheck("server_gone", { server });
  }

  return lastError === null ? null : createCheck("server_unreachable", { server });
};

/** Of the last attempts: calls nothing. */
export const checkServers = async (workspaceIds: readonly string[], programs: readonly Program[] | null): Promise<readonly Check[]> => {
  const rows = (await Promise.all(workspaceIds.map((id) => listMcpServers(id)))).flat().filter(({ status }) => status === "active");
  const found = rows.flatMap((row) => judge(row, programs) ?? []);

  return found.length === 0 ? [createCheck("servers_ok", { count: rows.length })] : found;
};

type Provider = { readonly name: string; readonly url: string | null; readonly guard: EgressPolicy | null };

const listOwn = async (workspaceId: string): Promise<readonly Provider[]> =>
  (await getModelSettings(workspaceId)).settings.providers.map((provider) => ({
    name: provider.id,
    url: getBaseUrl(provider),
    guard: getProviderPolicy(provider),
  }));

export const listInstalledProviders = (entries: ReadonlyMap<string, Entry>): readonly Provider[] => {
  const providers = [...entries.values()].flatMap(({ info, provider }): Provider[] =>
    provider.type === "http" ? [{ name: info.provider, url: provider.baseUrl ?? OWN_BASE_URLS[provider.kind], guard: null }] : [],
  );

  return [...new Map(providers.map((provider) => [provider.name, provider])).values()];
};

const REACH_MS = 5_000;

/** Any answer counts; no key is sent. */
const reach = async ({ name, url, guard }: Provider): Promise<Check> => {
  const provider = name;
  const egress = guard && createEgress({ policy: guard, headTimeoutMs: REACH_MS, maxResponseBytes: 65_536 });
  try {
    const signal = AbortSignal.timeout(REACH_MS);
    const response = await (egress ? egress.fetch(url ?? "", { signal }) : fetch(url ?? "", { signal, redirect: "manual" }));
    await response.body?.cancel();

    return createCheck("provider_reached", { provider });
  } catch (error) {
    const cause = error instanceof Error && error.name === "TimeoutError" ? "no answer" : "no connection";

    return createCheck("provider_unreachable", { provider, cause });
  } finally {
    await egress?.close();
  }
};

type Asked = { readonly workspaceIds: readonly string[]; readonly installed: readonly Provider[] | null; readonly reaches: boolean };

export const checkProviders = async ({ workspaceIds, installed, reaches }: Asked): Promise<readonly Check[]> => {
  const own = (await Promise.all(workspaceIds.map(listOwn))).flat();
  const reported = (await listModels()).filter(({ scripted }) => !scripted).map(({ id }) => getProvider(id));
  const names = new Set([...own, ...(installed ?? [])].map(({ name }) => name).concat(reported));
  if (names.size === 0) return [createCheck("providers_none")];
  const circuits = (await Promise.all(workspaceIds.map(listProviderCircuits))).flat();
  const down = [...new Set(circuits.map(({ provider }) => provider))].map((provider) => createCheck("provider_down", { provider }));
  const reached = reaches ? await Promise.all([...own, ...(installed ?? [])].map(reach)) : [];

  return down.length + reached.length === 0 ? [createCheck("providers_ok", { count: names.size })] : [...down, ...reached];
};
