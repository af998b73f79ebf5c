export const DEMO_PLANS = ["starter", "team", "business"] as const;
export type DemoPlan = (typeof DEMO_PLANS)[number];

export type DemoCustomer = {
  readonly customer_id: string;
  readonly email: string;
  readonly name: string;
  readonly plan: DemoPlan;
  readonly credit_cents: number;
};

export const DEMO_CUSTOMERS = [
  { customer_id: "cus_1001", email: "maria.lindqvist@nordlicht.example", name: "Maria Lindqvist", plan: "starter", credit_cents: 0 },
  { customer_id: "cus_1002", email: "t.okafor@harborpoint.example", name: "Tunde Okafor", plan: "team", credit_cents: 0 },
  { customer_id: "cus_1003", email: "jana@kovar-design.example", name: "Jana Kovářová", plan: "team", credit_cents: 1_500 },
  { customer_id: "cus_1004", email: "sam.delgado@riverbend.example", name: "Sam Delgado", plan: "business", credit_cents: 0 },
  { customer_id: "cus_1005", email: "accounts@peakworks.example", name: "Peakworks Accounts", plan: "business", credit_cents: 25_000 },
  { customer_id: "cus_1006", email: "lee.hartmann@quickmail.example", name: "Lee Hartmann", plan: "starter", credit_cents: 0 },
] as const satisfies readonly DemoCustomer[];
