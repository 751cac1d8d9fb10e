package demo

const digestPrompt = `Summarise the reviews of one product in at most 60 words. Reply with JSON of the form {"product", "stars", "summary", "praise", "blame"}. Do not quote names of customers.`

var reviewTexts = []string{
	"Used the {product} for two weeks in Norway, rain every day. Stayed dry. 5 stars.",
	"Good value, but the zip gets stuck at times.",
	"The {product} is lighter than I expected. My old one weighed twice as much.",
	"Colour is not as in the picture, more green than blue. Otherwise fine.",
	"Delivery took nine days, the {product} itself is great.",
	"After three months a seam came apart. Support replaced it without questions.",
	"Passt perfekt, sehr leicht und gut verarbeitet. Klare Empfehlung!",
	"Runs small. Order one size up.",
	"I would buy the {product} again, though it's not cheap.",
	"The strap is too short for tall people.",
	"Magnifique, utilisé au Mont Blanc cet été, rien à redire.",
	"Packs really small, fits in the side pocket.",
}

var summaryTexts = []string{
	"Customers like the {product} for its low weight and its finish. Several used it for weeks in bad weather. Some find that it runs small and that the zip could be better.",
	"The {product} is praised as robust and well made; most would buy it again. Criticism concerns the colour, which differs from the pictures, and long delivery times.",
	"Most reviews of the {product} are positive: it is light, packs small and keeps what it promises. A few customers had seams repaired, without trouble.",
}

var (
	praises = []string{"weight", "finish", "pack size", "waterproof", "service"}
	blames  = []string{"zip", "sizes run small", "colour differs", "price", "delivery time"}
)
