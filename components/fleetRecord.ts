import * as pulumi from "@pulumi/pulumi";

import type { FleetFacts } from "../fleet/facts.ts";

/**
 * What is known of the fleet as a whole, for the policies of the pack. It makes nothing. The facts are outputs, which a
 * policy of the stack is given too: as inputs, each update would change this resource, since each differs in what it changes.
 */
export class FleetRecord extends pulumi.ComponentResource {
  readonly facts: pulumi.Output<FleetFacts>;

  constructor(name: string, facts: FleetFacts, opts?: pulumi.ComponentResourceOptions) {
    super("arcflux:index:Fleet", name, {}, opts);
    this.facts = pulumi.output(facts);
    this.registerOutputs({ facts });
  }
}
