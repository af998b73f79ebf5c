import { z } from "zod";
import { directoryUserSchema } from "@/lib/people/directory-user";
import { approvalsSchema } from "@/lib/approval-policy/command";
import type { AdminArea } from "@/lib/engine/events/workspace";
import {
  computeDirectoryUserDigest,
  computeIdentityDigest,
  computeInviteDigest,
  computeMemberDigest,
  computePasswordDigest,
  computePolicyDigest,
  computeSessionVersionDigest,
  computeTokenDigest,
  computeVariablesDigest,
  computeVersionDigest,
  computeWorkspaceDigest,
} from "@/lib/engine/ledger/settings-digests";
import { variablesSchema } from "@/lib/environments/variables";
import type { HexDigest } from "@/lib/hash";
import { oauthGrantSchema } from "@/lib/outside/oauth-grant";
import { tokenLimitsSchema } from "@/lib/outside/token-limits";
import { roleSchema } from "@/lib/roles";
import { queryRows, type SqlClient } from "@/server/store/sql/rows";
import { getPool } from "@/server/db/client";
import { computeServerDigest } from "@/server/store/mcp/row";

export type Projection = { readonly area: AdminArea; readonly subject: string; readonly digest: HexDigest };

type Source = { readonly area: AdminArea; readonly sql: string; readonly read: (row: unknown) => Projection["digest"] | null };

const source = <T extends z.ZodRawShape>(
  area: AdminArea,
  sql: string,
  shape: T,
  digestOf: (row: z.infer<z.ZodObject<T>>) => HexDigest | null,
): Source => ({ area, sql, read: (row) => digestOf(z.object(shape).parse(row)) });

const standing = { role: roleSchema, auditor: z.boolean() };

const SOURCES: readonly Source[] = [
  source("workspace", "select id::text as subject, demo from workspace where id = $1", { demo: z.boolean() }, computeWorkspaceDigest),
  source(
    "policy",
    `select case environment when '' then workspace_id::text else 'in ' || environment end as subject, approvals,
       request_id::text as id, requested_by::text as by from approval_policy where workspace_id = $1`,
    { approvals: approvalsSchema.nullable(), id: z.string().nullable(), by: z.string().nullable() },
    ({ approvals, id, by }) => computePolicyDigest({ approvals, request: id === null || by === null ? null : { id, by } }),
  ),
  source(
    "environments",
    "select environment as subject, variables from environment_variables where workspace_id = $1",
    { variables: variablesSchema },
    ({ variables }) => computeVariablesDigest(variables),
  ),
  source(
    "people",
    "select user_id::text as subject, role, auditor, disabled_at is not null as disabled from membership where workspace_id = $1",
    { ...standing, disabled: z.boolean() },
    (row) => computeMemberDigest(row, row.disabled),
  ),
  source(
    "people",
    `select id::text as subject, role, auditor, email, hash from invite
     where workspace_id = $1 and used_at is null and revoked_at is null and expires_at > now()`,
    { ...standing, email: z.string(), hash: z.string() },
    computeInviteDigest,
  ),
  source(
    "passwords",
    `select u.id::text as subject, u.password_hash as password from membership m join app_user u on u.id = m.user_id
     where m.workspace_id = $1`,
    { password: z.string().nullable() },
    ({ password }) => computePasswordDigest(password),
  ),
  source(
    "identities",
    `select i.user_id::text as subject, i.issuer, i.subject as name from membership m join identity i on i.user_id = m.user_id
     where m.workspace_id = $1`,
    { issuer: z.string(), name: z.string() },
    ({ issuer, name }) => computeIdentityDigest({ issuer, subject: name }),
  ),
  source(
    "sessions",
    "select user_id::text as subject, session_version as version from membership where workspace_id = $1",
    { version: z.number() },
    ({ version }) => computeSessionVersionDigest(version),
  ),
  source(
    "directory",
    `select user_id::text as subject, user_name as "userName", external_id as "externalId", email, display_name as "displayName",
       formatted_name as "formattedName", given_name as "givenName", family_name as "familyName", active
     from directory_user where workspace_id = $1`,
    directoryUserSchema.shape,
    computeDirectoryUserDigest,
  ),
  source(
    "versions",
    `select hash as subject, graph_id::text as "graphId", number, author_id::text as "authorId" from graph_version where workspace_id = $1`,
    { graphId: z.string(), number: z.number(), authorId: z.string() },
    computeVersionDigest,
  ),
  source(
    "tokens",
    `select id::text as subject, hash, public_key as "publicKey", owner_id::text as "ownerId", audience, scopes, graphs::text[] as graphs, all_graphs as "allGraphs", coalesce(environments, '{}') as environments,
       integrity, strict_errors as "strictErrors", single_block as "singleBlock", limits, oauth,
       (extract(epoch from expires_at) * 1000)::double precision as "expiresAt", revoked_at is not null as "isRevoked"
     from agent_token where workspace_id = $1`,
    {
      hash: z.string(),
      publicKey: z.string().nullable(),
      ownerId: z.string(),
      audience: z.string(),
      scopes: z.array(z.string()),
      graphs: z.array(z.string()).nullable(),
      allGraphs: z.boolean(),
      environments: z.array(z.string()),
      integrity: z.string(),
      strictErrors: z.boolean(),
      singleBlock: z.boolean(),
      limits: tokenLimitsSchema.nullable(),
      oauth: oauthGrantSchema.nullable(),
      expiresAt: z.number(),
      isRevoked: z.boolean(),
    },
    ({ allGraphs, graphs, ...token }) => computeTokenDigest({ ...token, graphs: allGraphs ? null : graphs }),
  ),
  source(
    "mcp",
    `select s.id as subject, s.name, s.transport, s.status, s.allowed_agents as "allowedAgents", s.headers, s.auth, s.limits,
       s.pinned_identity as "pinnedIdentity",
       coalesce((
         select jsonb_agg(jsonb_build_object('name', t.name, 'pinnedDigest', t.pinned_digest, 'effect', t.effect, 'idempotent', t.idempotent,
           'output', t.output, 'outward', t.outward, 'clearance', t.clearance, 'limits', t.limits,
           'labelledAt', t.labelled_at, 'blockedAt', t.blocked_at) order by t.name)
         from mcp_tool t where t.workspace_id = s.workspace_id and t.server_id = s.id), '[]') as tools
     from mcp_server s where s.workspace_id = $1`,
    {
      name: z.string(),
      transport: z.unknown(),
      status: z.string(),
      allowedAgents: z.unknown(),
      headers: z.unknown(),
      auth: z.unknown(),
      limits: z.unknown(),
      pinnedIdentity: z.unknown(),
      tools: z.array(z.unknown()),
    },
    computeServerDigest,
  ),
];

const subjectSchema = z.object({ subject: z.string() });

export const listProjections = async (client: SqlClient, workspaceId: string): Promise<readonly Projection[]> => {
  const found: Projection[] = [];
  for (const { area, sql, read } of SOURCES) {
    for (const row of await queryRows(client, z.unknown(), { text: sql, values: [workspaceId] })) {
      const digest = read(row);
      if (digest !== null) found.push({ area, subject: subjectSchema.parse(row).subject, digest });
    }
  }

  return found;
};

export const listCurrentProjections = (workspaceId: string): Promise<readonly Projection[]> => listProjections(getPool(), workspaceId);
