import { needsSecondPerson } from "@/lib/architect/second-person";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import { findLive, type PromotionRequest } from "@/lib/environments/environment-fold";
import { listPlaces } from "@/lib/environments/places";
import { AppError } from "@/lib/errors";
import type { PublishedGraph } from "@/lib/graph/document";
import { listVariables } from "@/lib/graph/variables";
import type { HexDigest } from "@/lib/hash";
import { deriveId } from "@/server/derived-id";
import { listVariablesRows } from "@/server/store/environments";
import { listNumbers } from "@/server/store/graphs/live";
import { listContributors } from "@/server/store/graphs/publish-requests";
import { getVersion } from "@/server/store/graphs/versions";
import { listSecretsMissingFor } from "@/server/store/missing-secrets";
import type { Sender } from "@/server/store/runs/command-envelope";
import { readAuthority } from "@/server/web/authority";
import { submitCommand } from "@/server/web/submit-command";

export const listMissing = async (workspaceId: string, version: PublishedGraph, environment: string) => {
  const variables = (await listVariablesRows(workspaceId)).get(environment)?.variables ?? {};

  return {
    missing: listVariables(version).filter((name) => !Object.hasOwn(variables, name)),
    missingSecrets: await listSecretsMissingFor(workspaceId, { published: version, model: null }, environment),
  };
};

/** @throws AppError not_found */
export const previewPromotion = async (workspaceId: string, environment: string, hash: HexDigest) => {
  const { environments: fold } = await readAuthority(workspaceId);
  const version = await getVersion(workspaceId, hash);
  if (!version || !fold.list.some(({ id }) => id === environment)) throw new AppError("not_found");
  const numbers = await listNumbers(workspaceId, version.graphId);
  const live = findLive(
    fold,
    environment,
    numbers.map((one) => one.hash),
  );
  const base = live === null ? null : await getVersion(workspaceId, live);
  const { byArchitect } = await listContributors(workspaceId, version.graphId, { after: live, to: hash });
  const { changes, ...secondPerson } = needsSecondPerson(version.published, base?.published ?? null, byArchitect);

  return {
    number: version.number,
    base: base && { hash: base.hash, number: base.number },
    changes,
    secondPerson,
    ...(await listMissing(workspaceId, version.published, environment)),
  };
};

export const listAnswerable = async (workspaceId: string, userId: string) => {
  const { environments: fold } = await readAuthority(workspaceId);
  const requests = [...fold.requests].filter(([, { by }]) => by !== userId);
  const found = await Promise.all(
    requests.map(async ([id, request]) => {
      const version = await getVersion(workspaceId, request.version);
      const to = fold.list.find((one) => one.id === request.environment);
      if (!version || !to || version.authorId === userId) return [];
      const { involved } = await listContributors(workspaceId, version.graphId, { after: request.base, to: request.version });

      return involved.includes(userId)
        ? []
        : [{ id, asker: request, atMs: request.atMs, to: to.title, name: version.published.graph.name, number: version.number }];
    }),
  );

  return found.flat();
};

type Asker = Pick<PromotionRequest, "by" | "token">;

export const listAuthors = ({ by, token }: Asker): readonly string[] => (token === undefined ? [by] : [by, token]);

/** @param names of `listAuthors` */
export const describeAsker = ({ by, token }: Asker, names: Readonly<Record<string, string>>): string => {
  const person = names[by] ?? "a former member";

  return token === undefined ? person : `${names[token] ?? "A service account"} for ${person}`;
};

export const readPlaces = async (workspaceId: string, graphId: string) => {
  const [{ environments: fold }, numbers] = await Promise.all([readAuthority(workspaceId), listNumbers(workspaceId, graphId)]);

  return { fold, numbers };
};

type Wanted = { readonly graphId: string; readonly environment: string; readonly hash: HexDigest; readonly base?: HexDigest | undefined };

/** @param command id of an idempotent command @throws AppError not_found, conflict, refused */
export const askToPromote = async (
  workspaceId: string,
  author: Sender,
  { graphId, environment, hash, base }: Wanted,
  command: string,
): Promise<{ readonly id: string }> => {
  const { fold, numbers } = await readPlaces(workspaceId, graphId);
  if (!numbers.some((version) => version.hash === hash)) throw new AppError("not_found");
  const live = listPlaces(fold, numbers).find(({ id }) => id === environment)?.version?.hash ?? null;
  const request = deriveId({ promotion: command });
  if (live === hash && !fold.answered.has(request)) throw new AppError("conflict", { message: "This version is live there already." });
  const body = { kind: "promotion_ask", request, environment, version: hash, base: base ?? live } as const;
  await submitCommand({ workspaceId, author, runId: getWorkspaceLedgerId(workspaceId), body }, command);

  return { id: request };
};
