/** As many vectors as one statement carries. */
const BATCH_COMPONENTS = 1_000_000;

export function* vectorBatches<Passage extends { readonly vector: Float32Array }>(
  passages: readonly Passage[],
): Generator<Passage[]> {
  let batch: Passage[] = [];
  let components = 0;
  for (const passage of passages) {
    if (components > BATCH_COMPONENTS) {
      yield batch;
      [batch, components] = [[], 0];
    }
    batch.push(passage);
    components += passage.vector.length;
  }
  if (batch.length > 0) yield batch;
}
