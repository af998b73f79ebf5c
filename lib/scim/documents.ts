import { GROUP_SCHEMA } from "./group";
import { USER_SCHEMA } from "./user";

export const SCIM_PATH = "/scim/v2";
export const MOST_RESULTS = 200;

type Attribute = { readonly name: string; readonly type: string; readonly [more: string]: unknown };

const attribute = (name: string, more: Partial<Record<string, unknown>> = {}): Attribute => ({
  name,
  type: "string",
  multiValued: false,
  required: false,
  caseExact: false,
  mutability: "readWrite",
  returned: "default",
  uniqueness: "none",
  ...more,
});

const READ_ONLY = { mutability: "readOnly" };

const SCHEMAS = [
  {
    id: USER_SCHEMA,
    name: "User",
    description: "Person",
    attributes: [
      attribute("userName", { required: true, uniqueness: "server" }),
      attribute("externalId", { caseExact: true }),
      attribute("name", {
        type: "complex",
        subAttributes: ["formatted", "givenName", "familyName"].map((name) => attribute(name)),
      }),
      attribute("displayName"),
      attribute("emails", {
        type: "complex",
        multiValued: true,
        subAttributes: [attribute("value"), attribute("type", { canonicalValues: ["work"] }), attribute("primary", { type: "boolean" })],
      }),
      attribute("active", { type: "boolean" }),
      attribute("groups", {
        type: "complex",
        multiValued: true,
        ...READ_ONLY,
        subAttributes: ["value", "display"].map((name) => attribute(name, READ_ONLY)),
      }),
    ],
  },
  {
    id: GROUP_SCHEMA,
    name: "Group",
    description: "Group",
    attributes: [
      attribute("displayName", { required: true, uniqueness: "server" }),
      attribute("externalId", { caseExact: true }),
      attribute("members", { type: "complex", multiValued: true, subAttributes: [attribute("value"), attribute("type")] }),
    ],
  },
];

type Document = Readonly<Record<string, unknown>>;

const withMeta = (origin: string, kind: string, path: string, document: Document): Document => ({
  ...document,
  meta: { resourceType: kind, location: `${origin}${SCIM_PATH}/${path}` },
});

export const buildServiceProviderConfig = (origin: string): Document =>
  withMeta(origin, "ServiceProviderConfig", "ServiceProviderConfig", {
    schemas: ["urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig"],
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: MOST_RESULTS },
    changePassword: { supported: false },
    sort: { supported: false },
    etag: { supported: true },
    authenticationSchemes: [
      { type: "oauthbearertoken", name: "SCIM token", description: "Bearer token that an admin makes under People.", primary: true },
    ],
  });

export const listSchemas = (origin: string): readonly Document[] =>
  SCHEMAS.map((schema) =>
    withMeta(origin, "Schema", `Schemas/${schema.id}`, { schemas: ["urn:ietf:params:scim:schemas:core:2.0:Schema"], ...schema }),
  );

export const listResourceTypes = (origin: string): readonly Document[] =>
  SCHEMAS.map(({ id, name }) =>
    withMeta(origin, "ResourceType", `ResourceTypes/${name}`, {
      schemas: ["urn:ietf:params:scim:schemas:core:2.0:ResourceType"],
      id: name,
      name,
      endpoint: `/${name}s`,
      schema: id,
    }),
  );
