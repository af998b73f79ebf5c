/** RFC 7644, section 3.12. */
export type ScimType =
  | "invalidFilter"
  | "tooMany"
  | "uniqueness"
  | "mutability"
  | "invalidSyntax"
  | "invalidPath"
  | "noTarget"
  | "invalidValue";

export class ScimError extends Error {
  readonly status: number;
  readonly scimType: ScimType | null;

  constructor(status: number, scimType: ScimType | null, detail: string) {
    super(detail);
    this.name = "ScimError";
    this.status = status;
    this.scimType = scimType;
  }
}

export const badRequest = (scimType: ScimType, detail: string): ScimError => new ScimError(400, scimType, detail);

const ERROR_SCHEMA = "urn:ietf:params:scim:api:messages:2.0:Error";

export const toErrorBody = ({ status, scimType, message }: ScimError) => ({
  schemas: [ERROR_SCHEMA],
  status: String(status),
  ...(scimType === null ? {} : { scimType }),
  detail: message,
});
