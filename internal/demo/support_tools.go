package demo

import (
	"encoding/json"
	"time"
)

// step is the use of a tool. Arguments and result are JSON.
type step struct {
	tool              string
	takes             time.Duration
	arguments, result string
}

// about returns the same step for other products.
func (s step) about(product, other string) step {
	names := facts{"product": product, "other": other}
	s.arguments, s.result = names.in(s.arguments), names.in(s.result)
	return s
}

// supportTools is what the model is told about the tools.
var supportTools = json.RawMessage(`[` +
	`{"type":"function","function":{"name":"look_up_order","description":"Look up the state, the items and the shipment of an order.","parameters":{"type":"object","properties":{"order_id":{"type":"string","description":"Eight digits."}},"required":["order_id"]}}},` +
	`{"type":"function","function":{"name":"track_parcel","description":"Ask a carrier where a parcel is and when it will be delivered.","parameters":{"type":"object","properties":{"carrier":{"type":"string","enum":["DHL","PostNL","DPD","Posten"]},"tracking":{"type":"string"}},"required":["carrier","tracking"]}}},` +
	`{"type":"function","function":{"name":"change_delivery","description":"Have a parcel delivered to another place.","parameters":{"type":"object","properties":{"tracking":{"type":"string"},"to":{"type":"string"},"city":{"type":"string"}},"required":["tracking","to"]}}},` +
	`{"type":"function","function":{"name":"create_return","description":"Register the return of items and make a label.","parameters":{"type":"object","properties":{"order_id":{"type":"string"},"items":{"type":"array","items":{"type":"string"}},"reason":{"type":"string","enum":["size","damaged","other"]}},"required":["order_id","items"]}}},` +
	`{"type":"function","function":{"name":"issue_refund","description":"Refund a part of an order, 250 EUR at most.","parameters":{"type":"object","properties":{"order_id":{"type":"string"},"amount":{"type":"number","maximum":250},"reason":{"type":"string"}},"required":["order_id","amount"]}}},` +
	`{"type":"function","function":{"name":"search_catalogue","description":"Find products by what they are for.","parameters":{"type":"object","properties":{"query":{"type":"string"},"in_stock":{"type":"boolean"},"limit":{"type":"integer"}},"required":["query"]}}},` +
	`{"type":"function","function":{"name":"search_help_center","description":"Find articles about shipping, returns and payment.","parameters":{"type":"object","properties":{"query":{"type":"string"},"limit":{"type":"integer"}},"required":["query"]}}},` +
	`{"type":"function","function":{"name":"create_ticket","description":"Hand a conversation over to a colleague.","parameters":{"type":"object","properties":{"subject":{"type":"string"},"priority":{"type":"string","enum":["normal","high"]},"customer":{"type":"string"}},"required":["subject"]}}}` +
	`]`)

var (
	lookUpOrder = step{
		"look_up_order", 180 * time.Millisecond, `{"order_id":"{order}"}`,
		`{"order_id":"{order}","status":"shipped","shipped_on":"{yesterday}","carrier":"{carrier}","tracking":"{tracking}","items":[{"name":"{product}","quantity":1,"price":{amount}}],"total":{amount},"currency":"EUR"}`,
	}
	trackParcel = step{
		"track_parcel", 420 * time.Millisecond, `{"carrier":"{carrier}","tracking":"{tracking}"}`,
		`{"tracking":"{tracking}","last_event":"arrived at the parcel centre","place":"{city}","estimated_delivery":"{isodate}"}`,
	}
	helpOnRefunds = step{
		"search_help_center", 140 * time.Millisecond, `{"query":"how long does a refund take","limit":3}`,
		`{"articles":[{"id":118,"title":"When do I get my money back?","score":0.91},{"id":97,"title":"Returning an item","score":0.83},{"id":204,"title":"Gift cards and refunds","score":0.64}]}`,
	}
	helpOnPickup = step{
		"search_help_center", 140 * time.Millisecond, `{"query":"pickup period parcel shop","limit":3}`,
		`{"articles":[{"id":61,"title":"Collecting a parcel","score":0.94},{"id":64,"title":"What if nobody collects it?","score":0.72}]}`,
	}
	helpOnReturns = step{
		"search_help_center", 140 * time.Millisecond, `{"query":"return used article","limit":3}`,
		`{"articles":[{"id":97,"title":"Returning an item","score":0.95},{"id":101,"title":"What we cannot take back","score":0.88}]}`,
	}
	helpOnShipping = step{
		"search_help_center", 140 * time.Millisecond, `{"query":"送料 日本","limit":3}`,
		`{"articles":[{"id":12,"title":"Shipping outside of Europe","score":0.79},{"id":15,"title":"Customs and taxes","score":0.51}]}`,
	}
	createReturn = step{
		"create_return", 260 * time.Millisecond, `{"order_id":"{order}","items":["{clothes}"],"reason":"size"}`,
		`{"return_id":"R-{order}","label_url":"https://returns.tidewater.example/R-{order}.pdf","valid_until":"{later}"}`,
	}
	searchCatalogue = step{
		"search_catalogue", 210 * time.Millisecond, `{"query":"{product}","in_stock":true,"limit":4}`,
		`{"hits":[{"name":"{product}","price":{amount},"rating":4.6,"in_stock":true},{"name":"{other}","price":189.00,"rating":4.3,"in_stock":true}]}`,
	}
	createTicket = step{
		"create_ticket", 120 * time.Millisecond, `{"subject":"Complaint about order {order}","priority":"high","customer":"{name}"}`,
		`{"ticket":"{ticket}","queue":"first-level","position":4}`,
	}
	refundSome = step{
		"issue_refund", 650 * time.Millisecond, `{"order_id":"{order}","amount":{amount},"reason":"damaged"}`,
		`{"refund_id":"RF-{order}","amount":{amount},"currency":"EUR","state":"accepted"}`,
	}
	changeDelivery = step{
		"change_delivery", 540 * time.Millisecond, `{"tracking":"{tracking}","to":"parcel shop","city":"{city}"}`,
		`{"tracking":"{tracking}","changed":true,"new_estimate":"{isodate}"}`,
	}

	lookUpClothes = lookUpOrder.about("{clothes}", "")
	lookUpPack    = lookUpOrder.about("{pack}", "")
	searchClothes = searchCatalogue.about("{clothes}", "{otherclothes}")
	searchBags    = searchCatalogue.about("{bag}", "{otherbag}")
)
