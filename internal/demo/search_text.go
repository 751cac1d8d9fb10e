package demo

const searchPrompt = `Answer the question of a colleague from the passages of the handbook below. If they do not hold the answer, say so. Name the titles that you used. Be brief.`

const judgePrompt = `You judge whether an answer is supported by the passages that were retrieved. Reply with JSON: {"score": number from 0 to 1, "reason": text}.`

// document is a page of the handbook.
type document struct{ title, text string }

var documents = map[string]document{
	"ret-01": {
		"Returns at the warehouse",
		"Parcels that come back are opened at gate 4. Scan the return label first; without a label, look the customer up by the name on the parcel and print a new one. Unused goods go to shelf R within one working day. Used goods are photographed from three sides and handed to the returns desk, which decides within two days.",
	},
	"ret-02": {
		"When to refuse a return",
		"A return is refused if the article was used outdoors, if its tags are missing and cannot be replaced, or if more than 60 days have passed since delivery. The customer gets the article back at our cost and a message with the photographs. Exceptions are made by the head of support only.",
	},
	"fin-01": {
		"Refund limits",
		"Agents approve refunds of up to 250 EUR per order. Up to 1,000 EUR the head of support approves, above that the finance team. Refunds always go to the original means of payment; gift cards are refunded as gift cards. Cash is never paid out.",
	},
	"fin-02": {
		"Travel expenses",
		"Expenses are handed in within 30 days of the journey, with receipts. Trains are booked in second class. Hotels may cost 140 EUR a night, 190 EUR in Copenhagen, Oslo and Zürich. Meals are paid at the daily rate of the country, without receipts.",
	},
	"hr-01": {
		"Working from elsewhere",
		"Everybody may work from another country of the European Economic Area for up to 30 days a year. Tell your lead two weeks before and fill in form A1. Outside of the area it needs the approval of the people team, because of taxes and insurance.",
	},
	"hr-02": {
		"Parental leave",
		"Parents may take up to 14 months together, of which each takes at least two. Tell the people team seven weeks before it begins. Working part-time during the leave is possible for up to 32 hours a week.",
	},
	"it-01": {
		"Lost devices",
		"Report a lost or stolen device to security at once, day and night: +47 555 0100. The device is locked and wiped within minutes. Report the theft to the police within 24 hours and send the case number to the IT desk. Passwords are changed the same day.",
	},
	"it-02": {
		"Access to customer data",
		"Customer data may be looked at only to work on a case of that customer. Every access is logged with the number of the case. Exports need the approval of the data protection officer and are deleted after 14 days.",
	},
	"buy-01": {
		"New suppliers",
		"A new supplier signs the code of conduct, names all places of production, and sends certificates for down, leather and wool. Samples are tested for 40 days. The purchasing lead decides together with the sustainability team; a contract is for one season at first.",
	},
}

// question is what a colleague wants to know, in several wordings, and what the search makes of it.
type question struct {
	asked    []string
	passages []string // ids of documents, the best first
	answer   string
}

var questions = []question{
	{
		[]string{"A parcel came back without a label. What do I do?", "return parcel no label, where to put it"},
		[]string{"ret-01", "ret-02"},
		"Look the customer up by the name on the parcel and print a new label, then scan it. Unused goods go to shelf R within one working day. (Returns at the warehouse)",
	},
	{
		[]string{"May I refuse a return when the tags are missing?", "When can we refuse a return?"},
		[]string{"ret-02", "ret-01", "fin-01"},
		"Yes, if the tags cannot be replaced. Returns are also refused after 60 days or if the article was used outdoors. Exceptions are made by the head of support. (When to refuse a return)",
	},
	{
		[]string{"Who approves a refund of 400 euros?", "refund limit agents", "How much may an agent refund without asking?"},
		[]string{"fin-01", "ret-02"},
		"Agents approve up to 250 EUR; 400 EUR need the head of support. Above 1,000 EUR the finance team decides. (Refund limits)",
	},
	{
		[]string{"How much may a hotel cost in Oslo?", "Hotel limit business trip Zürich?"},
		[]string{"fin-02"},
		"Up to 190 EUR a night in Copenhagen, Oslo and Zürich, 140 EUR elsewhere. (Travel expenses)",
	},
	{
		[]string{"Can I work from Portugal for three weeks?", "remote work abroad rules"},
		[]string{"hr-01", "hr-02"},
		"Yes: up to 30 days a year within the European Economic Area. Tell your lead two weeks before and fill in form A1. (Working from elsewhere)",
	},
	{
		[]string{"How long before parental leave do I have to tell you?", "Can I work part-time during parental leave?"},
		[]string{"hr-02", "hr-01"},
		"Tell the people team seven weeks before it begins. You may work up to 32 hours a week during the leave. (Parental leave)",
	},
	{
		[]string{"My laptop was stolen on the train!", "lost phone what now"},
		[]string{"it-01", "it-02"},
		"Call security at once: +47 555 0100. They lock and wipe the device. Report the theft to the police within 24 hours, send the case number to the IT desk and change your passwords today. (Lost devices)",
	},
	{
		[]string{"Am I allowed to export a list of customers for a survey?", "export customer data approval"},
		[]string{"it-02"},
		"Only with the approval of the data protection officer, and the export is deleted after 14 days. (Access to customer data)",
	},
	{
		[]string{"What does a new supplier of down have to send us?", "supplier onboarding certificates"},
		[]string{"buy-01", "fin-01"},
		"The signed code of conduct, all places of production, and certificates for down. Samples are tested for 40 days. (New suppliers)",
	},
}
