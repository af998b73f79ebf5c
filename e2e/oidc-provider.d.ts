/** The package has no types; these are the parts that the tests use. */
declare module "oidc-provider" {
  import type { RequestListener } from "node:http";

  type Account = { accountId: string; claims: () => Record<string, unknown> };

  export class Provider {
    constructor(
      issuer: string,
      configuration: Record<string, unknown> & { findAccount: (context: unknown, id: string) => Account | undefined },
    );
    callback(): RequestListener;
  }
}
