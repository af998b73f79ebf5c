/** Reasons that continue a sentence. */
export const ADDRESS_REASONS = {
  url_invalid: "the address is not valid",
  scheme_not_http: "the address is not an http address",
  credentials_in_url: "the address contains credentials",
  host_not_public: "the address is not public, and the operator has not opened it",
  not_https: "the address is not https, and the operator has not opened it",
} as const;
export type AddressFault = keyof typeof ADDRESS_REASONS;

export type RefusedAddress = { readonly origin: string; readonly fault: AddressFault };
