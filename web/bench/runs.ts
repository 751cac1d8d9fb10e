const count = 20

/** Takes the number of samples that every measurement has, after a warm-up. */
export async function runs(sample: () => Promise<number>): Promise<number[]> {
  await sample()
  const samples: number[] = []
  while (samples.length < count) samples.push(await sample())
  return samples
}
